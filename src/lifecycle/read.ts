import { withApart } from "./apart";
import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption/adoption";
import { withoutUndefined } from "./engine-values";
import { MissingObjectError } from "./errors";
import { hiddenOf, hiddenToProps, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { costProps, inputsOf, outputsOf } from "./outputs";
import { isRepriced, isSettled, lastCost, quotedCost } from "./pricing/proposed-cost";
import type { Run } from "./run";
import { begin, callOf } from "./settle";
import { urnParts } from "../urn";
import { onceVisible } from "./visibility";

/** What read answers to the engine; without an id the object is gone. */
export interface ReadAnswer {
  readonly id?: string;
  readonly props?: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
}

/** A `get` sends the constructor's inputs as they are: check, which takes the mark of the run out, has not seen them. */
function isGet(props: Props): boolean {
  return "__dryRun" in props;
}

/** A change of status is told on the row: it is no input, so the engine does not show it. */
async function tellStatus({ rows }: Run, urn: string, before: unknown, after: unknown): Promise<void> {
  if (typeof before === "string" && before !== after)
    await rows.line(urn, "info", `status: ${before} → ${String(after)}`);
}

/**
 * The cost in the outputs. The service is asked if it is not known, and if a field has changed that the price can depend on: then
 * the last quote was of something else. A reference (`get`) has neither a cost nor a reason why there is none.
 */
async function costAfter(kind: ResourceKind, run: Run, urn: string, before: Props, after: Props): Promise<Props> {
  const last = lastCost(before);
  const isReference = last.cost === undefined && last.unpriced === undefined;
  const isStale = !isReference && (isSettled(last) ? isRepriced(kind, run, before, after) : run.settings.costQuotes);
  if (!isStale || last.unpriced?.status === "notOffered") return {};
  return costProps(await quotedCost(kind, run, urn, after));
}

/** The object as the API shows it, for refresh and `get`. Inputs are returned too: else the next diff compares with stale ones. */
export async function read(kind: ResourceKind, run: Run, givenId: string, props: Props): Promise<ReadAnswer> {
  const { id, inputs } = parseId(kind, givenId);
  const hidden = hiddenOf(props);
  const known: Props = { ...visibleOf(props), ...inputs, ...hiddenToProps(hidden) };
  if (!isGet(props)) await run.journal.seen(hidden.urn, id);
  try {
    const doing = begin(kind, run, props, "read");
    const wire = await onceVisible(doing, () => kind.handler(run.api).read(id, visibleOf(known), callOf(doing)));
    const shown = outputsOf(kind, known, await withApart(doing, id, known, wire), run.api.serverNow());
    await tellStatus(run, hidden.urn, known["status"], shown["status"]);
    const outputs = withoutUndefined({ ...shown, ...(await costAfter(kind, run, hidden.urn, known, shown)) });
    return { id, props: outputs, inputs: inputsOf(kind, outputs) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (isGet(props))
      throw new MissingObjectError(`There is no ${kind.noun} with the id ${givenId}.`, { cause: error });
    run.gone.note(`${kind.noun} "${urnParts(hidden.urn).name}"`);
    return {};
  }
}
