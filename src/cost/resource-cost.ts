import type { Decimal } from "decimal.js";
import { misadded } from "./arithmetic";
import type { Cost, CostSide, Unpriced, UsageDimension } from "./cost";
import { decimal } from "./money";
import type { CostOperation, DimensionCost, PricedQuantity, ResourceCost } from "./report";
import { urnParts } from "../urn";

export type { CostSide } from "./cost";

/** A resource's change as the lifecycle, or Pulumi's preview, tells it. */
export interface ResourceChange {
  readonly urn: string;
  readonly operation: CostOperation;
  /** Absent where the resource is new. */
  readonly before: CostSide | undefined;
  /** Absent where it is going to be gone. */
  readonly after: CostSide | undefined;
  /** The quote that the state had, if prices have moved since: `before` is at the prices of now. */
  readonly lastQuoted?: Cost | undefined;
  /** Where it is at the service before it is created, or after it is deleted. */
  readonly remains?: ResourceCost["remains"];
}

/** A resource's cost before and after, dimension by dimension. */
export function resourceCost({ urn, operation, before, after, lastQuoted, remains }: ResourceChange): ResourceCost {
  const lacking = [after, before].find((side) => side !== undefined && side.cost === undefined);
  const why = lacking && (lacking.unpriced ?? NEVER_QUOTED);
  const { type, name } = urnParts(urn);
  return {
    urn,
    type,
    name,
    operation,
    status: why?.status ?? "priced",
    reason: why && reasonOf(why, lacking === after),
    before: totalOf(before),
    after: totalOf(after),
    dimensions: dimensionsOf(before?.cost, after?.cost),
    lastQuoted: lastQuoted && decimal(lastQuoted.monthlyTotal),
    remains,
    warnings: [...misadded(before?.cost, "before"), ...misadded(after?.cost, "after")],
  };
}

const NEVER_QUOTED: Unpriced = { status: "unknown", reason: "it was never quoted" };

function reasonOf(why: Unpriced, isAfter: boolean): string {
  if (why.status === "notOffered") return "no quote is offered for this kind of resource";
  return isAfter ? why.reason : `before: ${why.reason}`;
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
    // A service may bill by one dimension in several rows: they stand side by side, in its order.
    return Array.from({ length: Math.max(was.length, will.length) }, (_, row) => ({
      dimension,
      displayName,
      before: was[row],
      after: will[row],
    }));
  });
}

function rowsOf(cost: Cost | undefined, dimension: string): readonly PricedQuantity[] {
  return (cost?.usageDimensions ?? []).filter((row) => row.dimension === dimension).map(priced);
}

function priced({ quantity, unitPrice, monthlyAmount }: UsageDimension): PricedQuantity {
  return { quantity, unitPrice: decimal(unitPrice), monthlyAmount: decimal(monthlyAmount) };
}
