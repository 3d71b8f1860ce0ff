import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption";
import { changedFields } from "./change-policy";
import { withoutUndefined } from "./engine-values";
import { MissingObjectError } from "./errors";
import { hiddenOf, hiddenToProps, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { inputsOf, outputsOf } from "./outputs";
import { pricedPolicies, proposedCost } from "./proposed-cost";
import type { Run } from "./run";
import { begin, callOf } from "./settle";

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

/** Where a field has changed that the price can depend on, the last quote was of something else: the service is asked anew. */
async function costAfter(kind: ResourceKind, run: Run, urn: string, before: Props, after: Props): Promise<unknown> {
  const repriced = changedFields(pricedPolicies(kind), before, after, run.api.serverNow());
  if (repriced.length === 0 || before["cost"] === undefined) return before["cost"];
  return (await proposedCost(kind, run, urn, after)).cost;
}

/** The object as the API shows it, for refresh and `get`. Inputs are returned too: else the next diff compares with stale ones. */
export async function read(kind: ResourceKind, run: Run, givenId: string, props: Props): Promise<ReadAnswer> {
  const { id, inputs } = parseId(kind, givenId);
  const hidden = hiddenOf(props);
  const known: Props = { ...visibleOf(props), ...inputs, ...hiddenToProps(hidden) };
  if (!isGet(props)) await run.journal.seen(hidden.urn, id);
  try {
    const wire = await kind.handler(run.api).read(id, visibleOf(known), callOf(begin(kind, run, props, "read")));
    const shown = outputsOf(kind, known, wire, run.api.serverNow());
    await tellStatus(run, hidden.urn, known["status"], shown["status"]);
    const outputs = withoutUndefined({ ...shown, cost: await costAfter(kind, run, hidden.urn, known, shown) });
    return { id, props: outputs, inputs: inputsOf(kind, outputs) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (isGet(props))
      throw new MissingObjectError(`There is no ${kind.noun} with the id ${givenId}.`, { cause: error });
    return {};
  }
}
