import type { CostOperation, DimensionCost, PricedQuantity, ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { cents, decimal, dollars, exactDollars, exactSignedDollars, signedDollars, sum } from "./money";
import {
  combinedReport,
  dimensionDelta,
  isKnown,
  labelStacks,
  leastSuffix,
  type CostReport,
  type KnownCost,
} from "./report";

/** Before, after and difference as printed, in whole cents. `-` means that there is no object, which is not `$0.00`. */
type PrintedAmounts = readonly [before: string, after: string, difference: string];

export interface PrintedRow {
  /** `Vm web`, `and 3 more`, `total, at least`, or the name of a stack. */
  readonly label: string;
  readonly amounts: PrintedAmounts;
  /** Undefined if several resources share the row. */
  readonly resource?: KnownCost;
}

export interface ResourceRow extends PrintedRow {
  readonly resource: KnownCost;
  /** In the API's order. A cell is `before → after`, or one value if they are the same. Amounts are exact. */
  readonly dimensions: readonly (readonly string[])[];
}

/** The printed parts of a report, for all formats. Each amount is exact until it is rounded once. */
export interface PrintedReport {
  /**
   * The rows of the table: first `resources`, then the rows that stand for several resources: further changes, changes
   * at the same price, unchanged resources.
   */
  readonly rows: readonly PrintedRow[];
  readonly resources: readonly ResourceRow[];
  /** True if further resources change their cost. */
  readonly isShortened: boolean;
  /** True if there is a row of changed resources. */
  readonly hasChanges: boolean;
  /** The text in place of the rows if no cost is known. */
  readonly noneKnown: string | undefined;
  /** The number of unlisted resources that cost nothing before and after, by operation. */
  readonly free: ReadonlyMap<CostOperation, number>;
  readonly total: PrintedRow;
  /** The exact total, if the printed rows do not add up to it: `$0.004 → $78.125 (+$78.121)`. */
  readonly exact: string | undefined;
  readonly unknown: readonly UnknownCosts[];
  /** The number of further resources with an unknown cost. */
  readonly moreUnknown: number;
  /** The number of resources without quotes, by type. */
  readonly notOffered: ReadonlyMap<string, number>;
}

/** Resources of one kind whose costs are unknown for the same reason. */
interface UnknownCosts {
  readonly type: string;
  readonly reason: string | undefined;
  readonly names: readonly string[];
}

export interface PrintOptions {
  /**
   * The number of changed resources with their own row, and of lines for unknown ones. Default: 20. Infinity lists
   * every resource, including those that cost nothing or do not change.
   */
  readonly limit?: number | undefined;
}

export const DEFAULT_LIMIT = 20;
const NO_DIFFERENCE = signedDollars(decimal("0"));

/** Sorts the resources into rows. Resources that cost nothing are only counted, unless `limit` is Infinity. */
export function printedReport(report: CostReport, { limit = DEFAULT_LIMIT }: PrintOptions): PrintedReport {
  const known = report.resources.filter(isKnown);
  const isListed = (resource: KnownCost): boolean => limit === Infinity || (changesCost(resource) && !isFree(resource));
  const listed = known.filter(isListed);
  const others = known.filter((resource) => !isListed(resource));
  const priced = others.filter((resource) => !isFree(resource));
  const unknown = unknownCosts(report.resources.filter(({ status }) => status === "unknown"));
  const [own, more] = [listed.slice(0, limit), listed.slice(limit)];
  const samePrice = priced.filter(({ operation }) => operation !== "same");
  const unchanged = priced.filter(({ operation }) => operation === "same");
  const lines = [...own.map((resource) => [resource]), more, samePrice, unchanged];
  const sums = lines.map((resources) => ({ before: sumOf(resources, "before"), after: sumOf(resources, "after") }));
  const resources = own.map(resourceRow);
  return {
    rows: [
      ...resources,
      ...sharedRow(more, "more", "and "),
      ...sharedRow(samePrice, "changed at the same price"),
      ...sharedRow(unchanged, "unchanged"),
    ],
    resources,
    isShortened: more.length > 0,
    hasChanges: listed.length > 0 || samePrice.length > 0,
    noneKnown: known.length === 0 ? "No resource with a known cost." : undefined,
    free: counted(others.filter(isFree), ({ operation }) => operation),
    total: totalRow(report),
    exact: exactTotal(report, sums),
    unknown: unknown.slice(0, limit),
    moreUnknown: unknown.slice(limit).reduce((count, { names }) => count + names.length, 0),
    notOffered: counted(
      report.resources.filter(({ status }) => status === "notOffered"),
      ({ type }) => type,
    ),
  };
}

/** The sign of an operation, as in Pulumi's own rows. */
export const operationSigns: Readonly<Record<CostOperation, string>> = {
  create: "+",
  update: "~",
  replace: "+-",
  delete: "-",
  same: " ",
};

/** True if the resource is new or deleted, or changes its cost. */
export function changesCost({ operation, before, after }: KnownCost): boolean {
  return operation === "create" || operation === "delete" || !before.equals(after);
}

export type Direction = "up" | "down";

/** The direction of a printed difference. Undefined for `+$0.00`. */
export function directionOf(difference: string): Direction | undefined {
  if (difference === NO_DIFFERENCE) return undefined;
  return difference.startsWith("-") ? "down" : "up";
}

export const AMOUNT_COLUMNS = ["Before", "After", "Difference"];

/** Before, after and difference, each rounded once. */
export function printedAmounts(before: Decimal, after: Decimal): PrintedAmounts {
  return [dollars(before), dollars(after), signedDollars(after.minus(before))];
}

interface PrintedStacks extends Pick<PrintedReport, "total" | "exact"> {
  /** `suffix` follows the name of the stack if its sum is incomplete: `, at least`. */
  readonly rows: readonly (PrintedRow & { readonly suffix: string })[];
}

export function printedStacks(reports: readonly CostReport[]): PrintedStacks {
  const all = combinedReport(reports);
  const labelOf = labelStacks(reports);
  return {
    rows: reports.map((report) => ({ ...totalRow(report), label: labelOf(report), suffix: leastSuffix(report) })),
    total: totalRow(all),
    exact: exactTotal(all, reports),
  };
}

function totalRow(report: CostReport): PrintedRow {
  return { label: `total${leastSuffix(report)}`, amounts: printedAmounts(report.before, report.after) };
}

type ExactChange = Pick<CostReport, "before" | "after">;

/** True if the printed amounts of these changes add up to their printed sum. */
function roundsWell(changes: readonly ExactChange[]): boolean {
  const [before, after] = [changes.map((change) => change.before), changes.map((change) => change.after)];
  const columns = [before, after, changes.map((change) => change.after.minus(change.before))];
  return (
    columns.every((amounts) => sum(amounts.map(cents)).equals(cents(sum(amounts)))) &&
    [...changes, { before: sum(before), after: sum(after) }].every((change) =>
      cents(change.after)
        .minus(cents(change.before))
        .equals(cents(change.after.minus(change.before))),
    )
  );
}

function exactTotal({ before, after, delta }: CostReport, parts: readonly ExactChange[]): string | undefined {
  if (roundsWell(parts)) return undefined;
  return `${exactDollars(before)} → ${exactDollars(after)} (${exactSignedDollars(delta)})`;
}

function isFree({ before, after }: KnownCost): boolean {
  return before.isZero() && after.isZero();
}

function resourceRow(resource: KnownCost): ResourceRow {
  const label = `${resource.type} ${resource.name}`;
  return { label, amounts: amountsOf([resource]), resource, dimensions: resource.dimensions.map(dimensionCells) };
}

function sharedRow(resources: readonly KnownCost[], words: string, and = ""): readonly PrintedRow[] {
  if (resources.length === 0) return [];
  return [{ label: `${and}${resources.length} ${words}`, amounts: amountsOf(resources) }];
}

/** The sum of resources. A side without any object has no amount. */
function amountsOf(resources: readonly KnownCost[]): PrintedAmounts {
  const areAll = (operation: CostOperation): boolean =>
    resources.every((resource) => resource.operation === operation && !resource.remains);
  const [before, after, difference] = printedAmounts(sumOf(resources, "before"), sumOf(resources, "after"));
  return [areAll("create") ? "-" : before, areAll("delete") ? "-" : after, difference];
}

function sumOf(resources: readonly KnownCost[], side: "before" | "after"): Decimal {
  return sum(resources.map((resource) => resource[side]));
}

function unknownCosts(resources: readonly ResourceCost[]): readonly UnknownCosts[] {
  const groups = Map.groupBy(resources, ({ type, reason }) => JSON.stringify([type, reason]));
  return [...groups.values()].flatMap((group) => {
    const names = group.map(({ name }) => name);
    return group.slice(0, 1).map(({ type, reason }) => ({ type, reason, names }));
  });
}

function counted<Key>(
  resources: readonly ResourceCost[],
  keyOf: (resource: ResourceCost) => Key,
): ReadonlyMap<Key, number> {
  return new Map([...Map.groupBy(resources, keyOf)].map(([key, group]) => [key, group.length]));
}

/** The columns of `ResourceRow.dimensions`. */
export const DIMENSION_COLUMNS = ["Dimension", "Quantity", "Unit price", "Monthly", "Difference"];

function dimensionCells(dimension: DimensionCost): readonly string[] {
  return [
    dimension.displayName,
    beforeAfterText(dimension, ({ quantity }) => decimal(String(quantity)).toFixed()),
    beforeAfterText(dimension, ({ unitPrice }) => exactDollars(unitPrice)),
    beforeAfterText(dimension, ({ monthlyAmount }) => exactDollars(monthlyAmount)),
    exactSignedDollars(dimensionDelta(dimension)),
  ];
}

function beforeAfterText({ before, after }: DimensionCost, text: (side: PricedQuantity) => string): string {
  const [was, is] = [before, after].map((side) => (side === undefined ? "-" : text(side)));
  return was === is ? `${is}` : `${was} → ${is}`;
}
