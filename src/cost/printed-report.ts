import type { Decimal } from "decimal.js";
import { cents, decimal, dollars, exactDollars, signedDollars, sum } from "./money";
import { isKnown, type CostOperation, type CostReport, type KnownCost, type ResourceCost } from "./report";

/** A row of the report as it is printed, in whole cents. */
export interface PrintedRow {
  readonly resource: KnownCost;
  /** `-` for what is not there: that is not `$0.00`. */
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

/** Rows that are printed as one. */
export interface FoldedRows {
  readonly count: number;
  readonly before: string;
  readonly after: string;
  readonly difference: string;
}

/** What is printed of a report, whatever it is printed as. The rows, the folded ones included, add up to the total. */
export interface PrintedReport {
  /** The largest differences. */
  readonly rows: readonly PrintedRow[];
  /** The rest of the changed ones. */
  readonly more: FoldedRows | undefined;
  /** Those that cost what they have cost. */
  readonly unchanged: FoldedRows | undefined;
  readonly total: Omit<FoldedRows, "count">;
  /** The exact total, where cents do not show it: `$0.004 → $78.125`. */
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
  /** How many changed resources have a row of their own, and how many unknown ones a line; default 20. */
  readonly limit?: number | undefined;
}

const DEFAULT_LIMIT = 20;
const NO_DIFFERENCE = signedDollars(decimal("0"));

/**
 * Rounds each amount to cents, once; differences and sums are those of what is printed, since people add them up.
 */
export function printedReport(report: CostReport, { limit = DEFAULT_LIMIT }: PrintOptions = {}): PrintedReport {
  const known = report.resources.filter(isKnown);
  const changed = known.filter(changesCost);
  const rows = changed.slice(0, limit);
  const unknown = report.resources.filter(({ status }) => status === "unknown");
  return {
    rows: rows.map(printedRow),
    more: folded(changed.slice(limit)),
    unchanged: folded(known.filter((resource) => !changesCost(resource))),
    total: sums(known),
    exact: exactTotal(report, known),
    unknown: unknown.slice(0, limit),
    moreUnknown: Math.max(0, unknown.length - limit),
    notOffered: counted(report.resources.filter(({ status }) => status === "notOffered")),
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

/** Dearer, or cheaper. */
export type Direction = "up" | "down";

/** Which way a printed difference goes; undefined for `+$0.00`. */
export function directionOf(difference: string): Direction | undefined {
  if (difference === NO_DIFFERENCE) return undefined;
  return difference.startsWith("-") ? "down" : "up";
}

/** Before, after and difference in whole cents. */
export function printedAmounts(before: Decimal, after: Decimal): Omit<FoldedRows, "count"> {
  return {
    before: dollars(before),
    after: dollars(after),
    difference: differenceText(before, after),
  };
}

function printedRow(resource: KnownCost): PrintedRow {
  const { operation, before, after, remains } = resource;
  return {
    resource,
    ...printedAmounts(before, after),
    ...(operation === "create" && !remains && { before: "-" }),
    ...(operation === "delete" && !remains && { after: "-" }),
  };
}

/** The difference of what is printed; one too small to be printed is not nothing all the same. */
function differenceText(before: Decimal, after: Decimal): string {
  const printed = cents(after).minus(cents(before));
  const exact = after.minus(before);
  return signedDollars(printed.isZero() && !exact.isZero() && cents(exact).isZero() ? exact : printed);
}

function folded(resources: readonly KnownCost[]): FoldedRows | undefined {
  return resources.length === 0 ? undefined : { count: resources.length, ...sums(resources) };
}

function sums(resources: readonly KnownCost[]): Omit<FoldedRows, "count"> {
  return printedAmounts(
    sum(resources.map(({ before }) => cents(before))),
    sum(resources.map(({ after }) => cents(after))),
  );
}

function exactTotal({ before, after }: CostReport, known: readonly KnownCost[]): string | undefined {
  const isOff = (exact: Decimal, side: "before" | "after"): boolean =>
    !cents(exact).equals(sum(known.map((resource) => cents(resource[side]))));
  if (!isOff(before, "before") && !isOff(after, "after")) return undefined;
  return `${exactDollars(before)} → ${exactDollars(after)}`;
}

function counted(resources: readonly ResourceCost[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { type } of resources) counts.set(type, (counts.get(type) ?? 0) + 1);
  return counts;
}
