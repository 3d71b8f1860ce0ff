import type { Decimal } from "decimal.js";
import { inOtherCurrency, NEVER_QUOTED, type Cost, type CostSide, type MissingQuote } from "./cost";
import { missingQuoteText } from "./cost-line";
import { decimal, exactDollars, sum } from "./money";
import { urnParts } from "../engine/urn";

export type CostOperation = "create" | "update" | "replace" | "delete" | "same";

/** A quantity at a price, on one side of a change. */
export interface PricedQuantity {
  readonly quantity: number;
  readonly unitPrice: Decimal;
  readonly monthlyAmount: Decimal;
}

export interface DimensionCost {
  /** The API's identifier, for example `compute_vcpu`. */
  readonly dimension: string;
  /** The API's name for the dimension. */
  readonly displayName: string;
  /** Undefined if the dimension does not bill the resource. */
  readonly before: PricedQuantity | undefined;
  readonly after: PricedQuantity | undefined;
}

export interface ResourceCost {
  readonly urn: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: the name in the program. */
  readonly name: string;
  readonly operation: CostOperation;
  /** `notOffered`: the API has no quotes for this kind. That is neither free nor unknown. */
  readonly status: "priced" | "unknown" | "notOffered";
  readonly reason?: string | undefined;
  /** The part that is billed although the API offers no quote. */
  readonly billedFor?: string | undefined;
  /** Undefined if unknown. Zero if the object does not exist yet, or no longer exists. */
  readonly before: Decimal | undefined;
  readonly after: Decimal | undefined;
  readonly dimensions: readonly DimensionCost[];
  /** The total in the state, if prices have moved since. `before` uses today's prices. */
  readonly lastQuoted?: Decimal | undefined;
  /**
   * `adopted`: the object existed before the stack took it over. `retained`: it stays at the API after it leaves the
   * stack. In both cases the bill does not change.
   */
  readonly remains?: "adopted" | "retained" | undefined;
  /**
   * The name of its provider: `default`, or that of an explicit provider, perhaps with another account. Undefined if
   * unknown.
   */
  readonly provider?: string | undefined;
  /** Sentences on quotes that do not add up. */
  readonly warnings: readonly string[];
}

/** The change of one resource: from the lifecycle during a run, or from the JSON of Pulumi's preview. */
export interface ResourceChange {
  readonly urn: string;
  readonly operation: CostOperation;
  /** Absent for a new resource. */
  readonly before: CostSide | undefined;
  /** Absent for a deleted resource. */
  readonly after: CostSide | undefined;
  /** The quote in the state, if prices have moved since. `before` uses today's prices. */
  readonly lastQuoted?: Cost | undefined;
  readonly provider?: string | undefined;
  /** Set if the object existed at the API before, or stays there afterwards. */
  readonly remains?: ResourceCost["remains"];
}

/** The cost of a resource before and after, by dimension. */
export function resourceCost(change: ResourceChange): ResourceCost {
  const { urn, operation, lastQuoted, remains, provider } = change;
  const [before, after] = [inDollars(change.before), inDollars(change.after)];
  const lacking = [after, before].find((side) => side !== undefined && side.cost === undefined);
  const unpriced = lacking && (lacking.unpriced ?? NEVER_QUOTED);
  // If the other side has a quote, quotes are offered, and this one is missing.
  const isOffered = before?.cost !== undefined || after?.cost !== undefined;
  const { type, name } = urnParts(urn);
  return {
    urn,
    type,
    name,
    operation,
    status: unpriced && isOffered ? "unknown" : (unpriced?.status ?? "priced"),
    reason: unpriced && unpricedText(unpriced, lacking === after, isOffered),
    billedFor: after?.unpriced?.status === "notOffered" ? after.unpriced.billedFor : undefined,
    before: totalOf(before),
    after: totalOf(after),
    dimensions: dimensionsOf(before?.cost, after?.cost),
    lastQuoted: lastQuoted && decimal(lastQuoted.monthlyTotal),
    remains,
    provider,
    warnings: [...sumWarnings(before?.cost, "before"), ...sumWarnings(after?.cost, "after")],
  };
}

function inDollars(side: CostSide | undefined): CostSide | undefined {
  const unpriced = side?.cost && inOtherCurrency(side.cost);
  return unpriced ? { cost: undefined, unpriced } : side;
}

function unpricedText(unpriced: MissingQuote, isAfter: boolean, isOffered: boolean): string {
  const reason = missingQuoteText(unpriced);
  return isAfter || (unpriced.status === "notOffered" && !isOffered) ? reason : `before: ${reason}`;
}

function totalOf(side: CostSide | undefined): Decimal | undefined {
  if (side === undefined) return decimal("0");
  return side.cost && decimal(side.cost.monthlyTotal);
}

function dimensionsOf(before: Cost | undefined, after: Cost | undefined): readonly DimensionCost[] {
  const rows = [...(after?.usageDimensions ?? []), ...(before?.usageDimensions ?? [])];
  const names = new Map(rows.map(({ dimension, displayName }) => [dimension, displayName]));
  return [...names].flatMap(([dimension, displayName]) => {
    const was = rowsOf(before, dimension);
    const will = rowsOf(after, dimension);
    // The rows of a dimension by position, because a service may use a dimension in several rows.
    return Array.from({ length: Math.max(was.length, will.length) }, (_, row) => ({
      dimension,
      displayName,
      before: was[row],
      after: will[row],
    }));
  });
}

function rowsOf(cost: Cost | undefined, dimension: string): readonly PricedQuantity[] {
  return (cost?.usageDimensions ?? [])
    .filter((row) => row.dimension === dimension)
    .map(({ quantity, unitPrice, monthlyAmount }) => ({
      quantity,
      unitPrice: decimal(unitPrice),
      monthlyAmount: decimal(monthlyAmount),
    }));
}

/**
 * A warning if the dimensions of a quote do not add up to its total. (Quantity times unit price is not checked, because
 * the specification does not say the period of a unit price.)
 */
export function sumWarnings(cost: Cost | undefined, side: string): readonly string[] {
  if (cost === undefined || cost.usageDimensions.length === 0) return [];
  const added = sum(cost.usageDimensions.map(({ monthlyAmount }) => decimal(monthlyAmount)));
  const total = decimal(cost.monthlyTotal);
  if (added.equals(total)) return [];
  return [
    `the quote ${side} does not add up: its dimensions come to ${exactDollars(added)}/mo, its total is ${exactDollars(total)}/mo`,
  ];
}
