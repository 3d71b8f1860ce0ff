import type { Cost, CostPair, CostSide } from "../../cost/cost";
import { isRecord } from "../../definition/compare-values";
import { withoutUndefined } from "../../engine/values";
import type { Props } from "../kind/kind";
import type { ResourceState } from "../resource-request";
import type { RunMemory } from "../memory/run-memory";

/** The pattern of `amountText` in api/schema.ts, repeated because a program must not load zod. */
const AMOUNT = /^-?\d{1,40}(\.\d{1,40})?$/;

export function costOf(props: Props | undefined): Cost | undefined {
  const cost = props?.["cost"];
  const total = isRecord(cost) ? cost["monthlyTotal"] : undefined;
  // check writes it, from a validated quote. A value of another form, as in a state that somebody has edited, counts as
  // no cost.
  return typeof total === "string" && AMOUNT.test(total) ? (cost as Cost) : undefined;
}

export function lastCost({ props, memory }: Pick<ResourceState, "props" | "memory">): CostSide {
  return { cost: costOf(props), unpriced: memory.unpriced };
}

/**
 * The cost before this run, for the state's memory. Undefined if it equals the cost in the state (`last`). For a
 * resource that is not in the state, it is compared with the cost after this run.
 */
export function costBeforeOf({ before, after }: CostPair, last: CostSide | undefined): CostSide | undefined {
  const isInState = before?.cost?.monthlyTotal === (last ?? after).cost?.monthlyTotal;
  return isInState ? undefined : before;
}

/** A cost for inputs, without its time, which would differ between preview and update and break update plans. */
export function costProps({ cost }: CostSide): Props {
  if (cost === undefined) return {};
  const { currency, monthlyTotal, usageDimensions } = cost;
  return { cost: { currency, monthlyTotal, usageDimensions } };
}

export function withPricedAt(cost: unknown, pricedAt: string | undefined): unknown {
  return isRecord(cost) ? withoutUndefined({ ...cost, pricedAt }) : undefined;
}

/** The inputs with the time of the quote, which only outputs have. */
export function withQuoteTime(memory: RunMemory, urn: string, inputs: Props): Props {
  const quoted = memory.of(urn)?.cost?.after.cost;
  return { ...inputs, cost: withPricedAt(inputs["cost"], (quoted ?? costOf(inputs))?.pricedAt) };
}
