import { withApart } from "./apart";
import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption/adoption";
import { withoutUndefined } from "./engine-values";
import { MissingObjectError } from "./errors";
import type { Props, ResourceKind } from "./kind";
import { inputsOf, outputsOf } from "./outputs";
import { costAfter } from "./pricing/proposed-cost";
import type { ReadAnswer, ResourceRequest, ResourceState } from "./resource-request";
import type { Run } from "./run";
import { begin, callOf } from "./resource-call";
import { urnParts } from "../urn";
import { onceVisible } from "./visibility";

/** A change of status appears on the row. It is no input, so the engine does not show it. */
async function tellStatus({ rows }: Run, urn: string, before: unknown, after: unknown): Promise<void> {
  if (typeof before === "string" && before !== after)
    await rows.line(urn, "info", `status: ${before} → ${String(after)}`);
}

/** The defaults of the inputs that are not at the API. A program that says nothing of them has these. */
function neverShown(kind: ResourceKind, run: Run): Props {
  const defaults = Object.entries(kind.defaults(run.settings));
  return Object.fromEntries(defaults.filter(([field]) => kind.policies[field]?.isLocal === true));
}

/**
 * The object as the API shows it, for refresh and `get`. Inputs are returned too: else the next diff compares with stale ones.
 * Undefined if the object is gone.
 */
export async function read(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<ReadAnswer | undefined> {
  const { urn, memory, isReference } = request;
  const { id, inputs } = parseId(kind, request.id);
  const unshown = isReference ? neverShown(kind, run) : {};
  const known: ResourceState = { urn, props: { ...unshown, ...request.inputs, ...inputs }, memory };
  if (!isReference) await run.journal.seen(urn, id);
  try {
    const call = begin(kind, run, request, "read");
    const wire = await onceVisible(call, () => kind.handler(run.api).read(id, known.props, callOf(call)));
    const whole = await withApart(call, id, known.props, wire);
    const shown = outputsOf(kind, known.props, whole, run.api.serverNow());
    await tellStatus(run, urn, known.props["status"], shown["status"]);
    const { cost, unpriced } = await costAfter(kind, run, known, shown);
    const props = withoutUndefined({ ...shown, cost });
    const remembered = { ...memory, unpriced };
    return {
      id,
      outputs: { urn, props, memory: remembered },
      inputs: { urn, props: inputsOf(kind, props), memory: { ...remembered, foundAs: undefined } },
    };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (isReference)
      throw new MissingObjectError(`There is no ${kind.noun} with the id ${request.id}. Correct the id.`, {
        cause: error,
      });
    run.gone.note(`${kind.noun} "${urnParts(urn).name}"`);
    return undefined;
  }
}
