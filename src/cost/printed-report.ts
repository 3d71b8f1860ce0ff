import type { Decimal } from "decimal.js";
import { cents, decimal, dollars, exactDollars, exactSignedDollars, signedDollars, sum } from "./money";
import { isKnown, type CostOperation, type CostReport, type KnownCost, type ResourceCost } from "./report";

/** Before, after and difference as they are printed, in whole cents; `-` for what is not there: that is not `$0.00`. */
export interface PrintedAmounts {
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

/** A row of the report as it is printed. */
export interface PrintedRow extends PrintedAmounts {
  readonly resource: KnownCost;
}

/** Rows that are printed as one. */
export interface FoldedRows extends PrintedAmounts {
  readonly count: number;
}

/** What is printed of a report, whatever it is printed as. Each amount is exact until it is rounded, once. */
export interface PrintedReport {
  /** The largest differences. */
  readonly rows: readonly PrintedRow[];
  /** The rest of those whose cost changes. */
  readonly more: FoldedRows | undefined;
  /** Those that change, at the price that they had. */
  readonly samePrice: FoldedRows | undefined;
  /** Those of which neither anything else nor the price changes. */
  readonly unchanged: FoldedRows | undefined;
  /** How many resources that cost nothing, neither before nor after, are not listed: by what happens to them. */
  readonly free: ReadonlyMap<CostOperation, number>;
  readonly total: PrintedAmounts;
  /** The exact total, if what is printed does not add up to it: `$0.004 → $78.125 (+$78.121)`. */
  readonly exact: string | undefined;
  /** Resources whose cost is not known, and why. */
  readonly unknown: readonly ResourceCost[];
  /** How many more there are of them than have a line. */
  readonly moreUnknown: number;
  /** How many resources of each type no quote is offered for. */
  readonly notOffered: ReadonlyMap<string, number>;
}

/** How much of a report is printed. */
export interface PrintOptions {
  /**
   * How many changed resources have a row of their own, and how many unknown ones a line; default 20. Infinity: every resource
   * has one, those too that cost nothing or do not change.
   */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 20;
const NO_DIFFERENCE = signedDollars(decimal("0"));

/** Sorts the resources into rows. What costs nothing is counted, unless everything is asked for. */
export function printedReport(report: CostReport, { limit = DEFAULT_LIMIT }: PrintOptions = {}): PrintedReport {
  const known = report.resources.filter(isKnown);
  const isListed = (resource: KnownCost): boolean => limit === Infinity || (changesCost(resource) && !isFree(resource));
  const listed = known.filter(isListed);
  const others = known.filter((resource) => !isListed(resource));
  const priced = others.filter((resource) => !isFree(resource));
  const unknown = report.resources.filter(({ status }) => status === "unknown");
  const [own, more] = [listed.slice(0, limit), listed.slice(limit)];
  const samePrice = priced.filter(({ operation }) => operation !== "same");
  const unchanged = priced.filter(({ operation }) => operation === "same");
  const lines = [...own.map((resource) => [resource]), more, samePrice, unchanged];
  return {
    rows: own.map((resource) => ({ resource, ...amountsOf([resource]) })),
    more: folded(more),
    samePrice: folded(samePrice),
    unchanged: folded(unchanged),
    free: counted(others.filter(isFree), ({ operation }) => operation),
    total: printedAmounts(report.before, report.after),
    exact: addsUp(lines) ? undefined : exactTotal(report),
    unknown: unknown.slice(0, limit),
    moreUnknown: Math.max(0, unknown.length - limit),
    notOffered: counted(
      report.resources.filter(({ status }) => status === "notOffered"),
      ({ type }) => type,
    ),
  };
}

/** The sign of an operation, as Pulumi's own rows have it. */
export const operationSigns: Readonly<Record<CostOperation, string>> = {
  create: "+",
  update: "~",
  replace: "+-",
  delete: "-",
  same: " ",
};

/** Whether the resource comes, goes, or costs something else than before. */
export function changesCost({ operation, before, after }: KnownCost): boolean {
  return operation === "create" || operation === "delete" || !before.equals(after);
}

/** More expensive, or cheaper. */
export type Direction = "up" | "down";

/** Which way a printed difference goes; undefined for `+$0.00`. */
export function directionOf(difference: string): Direction | undefined {
  if (difference === NO_DIFFERENCE) return undefined;
  return difference.startsWith("-") ? "down" : "up";
}

/** Before, after and difference, each rounded once. */
export function printedAmounts(before: Decimal, after: Decimal): PrintedAmounts {
  return { before: dollars(before), after: dollars(after), difference: signedDollars(after.minus(before)) };
}

/** Whether what is printed of these changes, each `[before, after]`, adds up to what is printed of their sum. */
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

function addsUp(lines: readonly (readonly KnownCost[])[]): boolean {
  return roundsWell(lines.map((resources) => [sumOf(resources, "before"), sumOf(resources, "after")] as const));
}

function folded(resources: readonly KnownCost[]): FoldedRows | undefined {
  return resources.length === 0 ? undefined : { count: resources.length, ...amountsOf(resources) };
}

/** What resources cost together; a side on which none of them is there has no amount. */
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

function counted<Key>(
  resources: readonly ResourceCost[],
  keyOf: (resource: ResourceCost) => Key,
): ReadonlyMap<Key, number> {
  const counts = new Map<Key, number>();
  for (const resource of resources) counts.set(keyOf(resource), (counts.get(keyOf(resource)) ?? 0) + 1);
  return counts;
}
