import { isSameId } from "../../definition/same-id";
import { changedFields, isNewlyGiven, replacingFields } from "../kind/changed-fields";
import { isDeepStrictEqual } from "node:util";
import { adoptedIdOf } from "../adoption/adoption-check";
import type { RunFacts } from "../memory/run-memory";
import { costOf } from "../pricing/cost-in-state";
import type { ComparedResource } from "../objects/resource-call";

export interface Difference {
  readonly changed: readonly string[];
  readonly replaces: readonly string[];
  readonly isSame: boolean;
  /**
   * True if the engine sees the change itself, because the inputs differ. If only the object at the API differs, the
   * answer must say so.
   */
  readonly isSeenByEngine: boolean;
}

/**
 * Compares the outputs with the program's inputs by each field's definition. `facts`: undefined if there is no program.
 */
export function differenceOf(
  { kind, run, request: { id, inputs: news }, outputs: { props: olds } }: ComparedResource,
  facts: RunFacts | undefined,
  isBroken: boolean,
): Difference {
  const now = run.api.now();
  const adopted = adoptedIdOf(kind, news["adopt"]);
  const adoptsAnother =
    facts !== undefined &&
    adopted !== undefined &&
    !isSameId(adopted, id) &&
    adoptedIdOf(kind, olds["adopt"]) === undefined;
  const changed = changedFields(kind.fields, olds, news, now);
  const replaces = [
    ...replacingFields(kind.fields, olds, news, now),
    ...(adoptsAnother ? ["adopt"] : []),
    ...(isBroken ? ["status"] : []),
  ];
  return {
    changed,
    replaces,
    isSame: changed.length === 0 && replaces.length === 0,
    isSeenByEngine:
      !isBroken &&
      (facts?.previous === undefined ||
        adoptsAnother ||
        changedFields(kind.fields, facts.previous.props, news, now).length > 0),
  };
}

/** A difference that no request sends to the API, and that an update saves. */
export function unsentDifference(
  { kind, request: { inputs: news, memory, last }, outputs }: ComparedResource,
  { previous }: RunFacts,
): "customTimeouts" | "retainOnDelete" | "inputs" | undefined {
  if (!previous) return undefined;
  // Both must be saved in the outputs, because a later run uses them.
  if (!isDeepStrictEqual(previous.memory.timeouts, memory.timeouts)) return "customTimeouts";
  if (last?.memory.retainOnDelete !== memory.retainOnDelete) return "retainOnDelete";
  // If this run has found out a cost that was unknown before, the engine sees different inputs.
  const [cost, ...before] = [news, previous.props, outputs.props].map(costOf);
  const isNewlyPriced = cost !== undefined && before.every((each) => each === undefined);
  return isNewlyPriced || isNewlyGiven(kind.fields, outputs.props, news) ? "inputs" : undefined;
}
