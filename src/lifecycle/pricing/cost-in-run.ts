import type { CostPair, CostSide } from "../../cost/cost";
import type { CostOperation } from "../../cost/report";
import type { RunMemory } from "../memory/run-memory";
import type { Props } from "../kind/kind";
import { costOf, lastCost, withPricedAt } from "./cost-in-state";

/** What a cost summary needs of a resource of this run. It has no secret, because a file carries it to other processes. */
export interface CostInRun {
  readonly urn: string;
  /** The name of the resource's explicit provider. Otherwise `default`: the one with the settings of the stack. */
  readonly provider: string;
  readonly operation: CostOperation;
  readonly pair: CostPair;
  /** The URN in the state: another one if an alias has renamed the resource. Undefined for a new resource. */
  readonly formerUrn?: string | undefined;
  /** The last cost of the replaced object, for the new half of a replacement. */
  readonly replaced?: (CostSide & { readonly isRetained: boolean }) | undefined;
  /** Whether the resource takes over an object, whose cost counts as before. */
  readonly adopts: boolean;
  /** Whether the object stays at the service when the resource is deleted (`retainOnDelete`). */
  readonly isRetained: boolean;
}

/** What this process knows of the cost of a resource. Undefined if check has not found it out. */
export function costInRun(memory: RunMemory, urn: string, provider: string): CostInRun | undefined {
  const facts = memory.of(urn);
  if (facts?.cost === undefined) return undefined;
  const { previous, replaced, cost, adopts, isChanged, isRetained } = facts;
  return {
    urn,
    provider,
    operation: replaced ? "replace" : !previous ? "create" : isChanged ? "update" : "same",
    pair: cost,
    formerUrn: (previous ?? replaced)?.urn,
    replaced: replaced && { ...lastCost(replaced), isRetained: replaced.memory.retainOnDelete },
    adopts: adopts && !previous,
    isRetained,
  };
}

/** Inputs with the time of their quote, as outputs have it. */
export function withQuoteTime(memory: RunMemory, urn: string, inputs: Props): Props {
  const quoted = memory.of(urn)?.cost?.after.cost;
  return { ...inputs, cost: withPricedAt(inputs["cost"], (quoted ?? costOf(inputs))?.pricedAt) };
}
