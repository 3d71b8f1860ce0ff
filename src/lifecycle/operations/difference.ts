import { isSameId } from "../../api/same-id";
import { isDeepStrictEqual } from "node:util";
import { adoptedIdOf } from "../adoption/adoption-check";
import { changedFields, isNewlyGiven, replacingFields } from "../kind/change-policy";
import type { Props, ResourceKind } from "../kind/kind";
import type { RunFacts } from "../memory/run-memory";
import { costOf } from "../pricing/cost-in-state";
import type { ResourceRequest } from "../resource-request";

export interface Difference {
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
  /** The engine compares old inputs with new ones. If only the object at the API differs, the answer must say so. */
  readonly isSeenByEngine: boolean;
}

/** Compares the outputs with the program's inputs by each field's policy. `facts`: undefined if there is no program. */
export function differenceOf(
  kind: ResourceKind,
  { id, inputs: news }: ResourceRequest,
  olds: Props,
  facts: RunFacts | undefined,
  isBroken: boolean,
  now: number,
): Difference {
  const adopted = adoptedIdOf(kind, news["adopt"]);
  const adoptsAnother =
    facts !== undefined &&
    adopted !== undefined &&
    !isSameId(adopted, id) &&
    adoptedIdOf(kind, olds["adopt"]) === undefined;
  return {
    changed: changedFields(kind.policies, olds, news, now),
    replaces: [
      ...replacingFields(kind.policies, olds, news, now),
      ...(adoptsAnother ? ["adopt"] : []),
      ...(isBroken ? ["status"] : []),
    ],
    isSeenByEngine:
      !isBroken &&
      (facts?.previous === undefined ||
        adoptsAnother ||
        changedFields(kind.policies, facts.previous.props, news, now).length > 0),
  };
}

/** A difference that no request sends to the API, and that an update saves. */
export function unsentDifference(
  kind: ResourceKind,
  { inputs: news, memory, lastOutputs: outputs }: ResourceRequest,
  olds: Props,
  { previous }: RunFacts,
): "customTimeouts" | "retainOnDelete" | "inputs" | undefined {
  if (!previous) return undefined;
  // Both must be saved in the outputs, because a later run uses them.
  if (!isDeepStrictEqual(previous.memory.timeouts, memory.timeouts)) return "customTimeouts";
  if (outputs?.memory.retainOnDelete !== memory.retainOnDelete) return "retainOnDelete";
  // If this run has found out a cost that was unknown before, the engine sees different inputs.
  const [cost, ...before] = [news, previous.props, olds].map(costOf);
  const isNewlyPriced = cost !== undefined && before.every((each) => each === undefined);
  return isNewlyPriced || isNewlyGiven(kind.policies, olds, news) ? "inputs" : undefined;
}
