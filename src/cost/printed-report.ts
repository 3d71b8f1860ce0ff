import type { CostOperation, DimensionCost, PricedQuantity, ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { cents, decimal, dollars, exactDollars, exactSignedDollars, signedDollars, sum } from "./money";
import { dimensionDelta, isKnown, leastSuffix, type CostReport, type KnownCost } from "./report";

/** Before, after and difference as printed, in whole cents. `-` means that there is no object, which is not `$0.00`. */
export interface PrintedAmounts {
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

export interface PrintedRow extends PrintedAmounts {
  readonly resource: KnownCost;
}

/** A row of several resources: `and 3 more`, `total, at least`. */
export interface LabelledRow extends PrintedAmounts {
  readonly label: string;
}

/** The printed parts of a report, for all formats. Each amount is exact until it is rounded once. */
export interface PrintedReport {
  readonly rows: readonly PrintedRow[];
  /** True if further resources change their cost. */
  readonly isShortened: boolean;
  /** True if there is a row of changed resources. */
  readonly hasChanges: boolean;
  /** The rows that several resources share: further changes, changes at the same price, unchanged resources. */
  readonly folded: readonly LabelledRow[];
  /** The number of unlisted resources that cost nothing before and after, by operation. */
  readonly free: ReadonlyMap<CostOperation, number>;
  readonly total: LabelledRow;
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

const DEFAULT_LIMIT = 20;
const NO_DIFFERENCE = signedDollars(decimal("0"));

/** Sorts the resources into rows. Resources that cost nothing are only counted, unless `limit` is Infinity. */
export function printedReport(report: CostReport, { limit = DEFAULT_LIMIT }: PrintOptions = {}): PrintedReport {
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
  const sums = lines.map((resources) => [sumOf(resources, "before"), sumOf(resources, "after")] as const);
  return {
    rows: own.map((resource) => ({ resource, ...amountsOf([resource]) })),
    isShortened: more.length > 0,
    hasChanges: listed.length > 0 || samePrice.length > 0,
    folded: [
      ...folded(more, "more", "and "),
      ...folded(samePrice, "changed at the same price"),
      ...folded(unchanged, "unchanged"),
    ],
    free: counted(others.filter(isFree), ({ operation }) => operation),
    total: totalRow(report),
    exact: roundsWell(sums) ? undefined : exactTotal(report),
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

/** Before, after and difference, each rounded once. */
export function printedAmounts(before: Decimal, after: Decimal): PrintedAmounts {
  return { before: dollars(before), after: dollars(after), difference: signedDollars(after.minus(before)) };
}

/** The columns of `amountCells`. */
export const AMOUNT_COLUMNS = ["Before", "After", "Difference"];

export function amountCells({ before, after, difference }: PrintedAmounts): readonly string[] {
  return [before, after, difference];
}

/** The last row of a report. */
export function totalRow(report: CostReport): LabelledRow {
  return { label: `total${leastSuffix(report)}`, ...printedAmounts(report.before, report.after) };
}

/** True if the printed amounts of these changes, each `[before, after]`, add up to their printed sum. */
export function roundsWell(changes: readonly (readonly [before: Decimal, after: Decimal])[]): boolean {
  const deltas = changes.map(([before, after]) => after.minus(before));
  const columns = [changes.map(([before]) => before), changes.map(([, after]) => after), deltas];
  return (
    columns.every((amounts) => sum(amounts.map(cents)).equals(cents(sum(amounts)))) &&
    [...changes, [sum(columns[0] ?? []), sum(columns[1] ?? [])] as const].every(([before, after]) =>
      cents(after)
        .minus(cents(before))
        .equals(cents(after.minus(before))),
    )
  );
}

/** The exact totals: `$0.004 → $78.125 (+$78.121)`. */
export function exactTotal({ before, after, delta }: Pick<CostReport, "before" | "after" | "delta">): string {
  return `${exactDollars(before)} → ${exactDollars(after)} (${exactSignedDollars(delta)})`;
}

function isFree({ before, after }: KnownCost): boolean {
  return before.isZero() && after.isZero();
}

function folded(resources: readonly KnownCost[], words: string, and = ""): readonly LabelledRow[] {
  return resources.length === 0 ? [] : [{ label: `${and}${resources.length} ${words}`, ...amountsOf(resources) }];
}

/** The sum of resources. A side without any object has no amount. */
function amountsOf(resources: readonly KnownCost[]): PrintedAmounts {
  const areAll = (operation: CostOperation): boolean =>
    resources.every((resource) => resource.operation === operation && !resource.remains);
  return {
    ...printedAmounts(sumOf(resources, "before"), sumOf(resources, "after")),
    ...(areAll("create") && { before: "-" }),
    ...(areAll("delete") && { after: "-" }),
  };
}

function sumOf(resources: readonly KnownCost[], side: "before" | "after"): Decimal {
  return sum(resources.map((resource) => resource[side]));
}

function unknownCosts(resources: readonly ResourceCost[]): readonly UnknownCosts[] {
  const groups = new Map<string, UnknownCosts>();
  for (const { type, reason, name } of resources) {
    const key = JSON.stringify([type, reason]);
    groups.set(key, { type, reason, names: [...(groups.get(key)?.names ?? []), name] });
  }
  return [...groups.values()];
}

function counted<Key>(
  resources: readonly ResourceCost[],
  keyOf: (resource: ResourceCost) => Key,
): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const resource of resources) counts.set(keyOf(resource), (counts.get(keyOf(resource)) ?? 0) + 1);
  return counts;
}

/** The columns of `printedDimensions`. */
export const DIMENSION_COLUMNS = ["Dimension", "Quantity", "Unit price", "Monthly", "Difference"];

/**
 * The dimensions of a resource, in the service's order. A cell is `before → after`, or one value if they are the same. Amounts are exact.
 */
export function printedDimensions({ dimensions }: KnownCost): readonly (readonly string[])[] {
  return dimensions.map((dimension) => [
    dimension.displayName,
    change(dimension, ({ quantity }) => decimal(String(quantity)).toFixed()),
    change(dimension, ({ unitPrice }) => exactDollars(unitPrice)),
    change(dimension, ({ monthlyAmount }) => exactDollars(monthlyAmount)),
    exactSignedDollars(dimensionDelta(dimension)),
  ]);
}

function change({ before, after }: DimensionCost, text: (side: PricedQuantity) => string): string {
  const [was, is] = [before, after].map((side) => (side === undefined ? "-" : text(side)));
  return was === is ? `${is}` : `${was} → ${is}`;
}
