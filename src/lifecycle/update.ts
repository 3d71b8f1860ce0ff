import { withApart } from "./apart";
import type { Mutation } from "../api/client";
import { RequestError } from "../api/errors";
import { changedFields } from "./change-policy";
import { HalfMadeError, PartMadeError } from "./errors";
import { awaitOperation, awaitReady } from "./readiness";
import { deleteRetired } from "./credential/own-credential";
import { withoutUndefined } from "./engine-values";
import type { Props, ResourceKind } from "./kind";
import { outputsOf, withQuoteTime } from "./outputs";
import { costOf, withPricedAt } from "./pricing/cost-in-state";
import { costAfter } from "./pricing/proposed-cost";
import { NO_MEMORY, type ResourceRequest, type ResourceState, type UpdateAnswer } from "./resource-request";
import { assertManageable, begin, callOf, whatOf, type ResourceCall } from "./resource-call";
import type { Run } from "./run";
import { onceVisible } from "./visibility";

/**
 * Sends the changed fields only, waits, and returns the outputs as the API then shows them. If the API makes a part of the change,
 * that part gets into the state.
 */
export async function update(kind: ResourceKind, run: Run, request: ResourceRequest): Promise<UpdateAnswer> {
  const { urn, id, inputs, memory, previous = { urn, props: {}, memory: NO_MEMORY } } = request;
  const call = begin(kind, run, request, "update");
  await run.journal.seen(urn, id);
  const olds = previous.props;
  assertManageable(call, olds);
  const now = run.api.serverNow();
  // Without a change, this is the engine's second attempt for an object that was not ready: it only waits.
  try {
    await applyChanges(call, id, olds, inputs, changedFields(kind.policies, olds, inputs, now));
  } catch (error) {
    throw error instanceof PartMadeError ? await withWhatIsMade(call, id, previous, error) : error;
  }
  const wire = await awaitReady(call, id, inputs);
  const known = { ...secretsOf(kind, olds), ...withCost(run, urn, olds, inputs) };
  const props = outputsOf(kind, known, await withApart(call, id, known, wire), now);
  const { foundAs } = previous.memory;
  return { state: { urn, props, memory: { ...memory, foundAs, retired: await deleteRetired(call, previous) } } };
}

/**
 * The error with the state as the API shows it now: the next preview then shows the rest of the change. Without an answer, the engine
 * keeps the state of before, and a warning says so.
 */
async function withWhatIsMade(
  call: ResourceCall,
  id: string,
  previous: ResourceState,
  error: PartMadeError,
): Promise<unknown> {
  const { kind, run, urn, inputs, request } = call;
  try {
    const wire = await kind.handler(run.api).whole(id, inputs, callOf(call));
    const shown = outputsOf(kind, previous.props, wire, run.api.serverNow());
    const { cost, unpriced } = await costAfter(kind, run, previous, shown);
    const { halfMade, foundAs, retired } = previous.memory;
    const memory = { ...request.memory, halfMade, foundAs, retired, unpriced };
    return new HalfMadeError(id, { urn, props: withoutUndefined({ ...shown, cost }), memory }, error);
  } catch {
    await run.rows.line(urn, "warning", UNSEEN_PART);
    return error.cause;
  }
}

const UNSEEN_PART =
  "The API had made a part of this change before it failed, and does not show which. Run `pulumi refresh`: until then, the state and its cost are those of before";

/**
 * Changes the fields in place: by one PATCH, and by separate requests for the fields that have them. Rejects with a PartMadeError if
 * one fails after others.
 */
export async function applyChanges(
  call: ResourceCall,
  id: string,
  olds: Props,
  inputs: Props,
  changed: readonly string[],
): Promise<void> {
  const body = call.kind.toWireUpdate(inputs, changed, call.run.api.serverNow());
  const progress = { isPartMade: false };
  const made = (): void => void (progress.isPartMade = true);
  try {
    if (Object.keys(body).length > 0) await sendOnce(call, id, olds, inputs, body).then(made);
    for (const field of changed) {
      await changeParts(call, id, inputs, field, made);
      await act(call, id, inputs, field, made);
    }
  } catch (error) {
    throw progress.isPartMade ? new PartMadeError(error) : error;
  }
}

/** If the object shows the change, a lost answer does not matter. */
async function sendOnce(call: ResourceCall, id: string, olds: Props, inputs: Props, body: Props): Promise<void> {
  const { kind, run } = call;
  try {
    const patch = (): Promise<Mutation<Props>> => kind.handler(run.api).update(id, inputs, body, callOf(call));
    await awaitOperation(call, await onceVisible(call, patch));
  } catch (error) {
    if (!(error instanceof RequestError) || error.effect === "none") throw error;
    const shown = kind.fromWire(await awaitReady(call, id, inputs));
    const now = run.api.serverNow();
    const wanted = changedFields(kind.policies, olds, inputs, now).filter((field) => shown[field] !== undefined);
    if (changedFields(kind.policies, shown, inputs, now).some((field) => wanted.includes(field))) throw error;
  }
}

/**
 * Changes the objects of a field at their own endpoints. It compares with their present state, so a change that has arrived is
 * not sent again.
 */
async function changeParts(
  call: ResourceCall,
  id: string,
  inputs: Props,
  field: string,
  made: () => void,
): Promise<void> {
  const { kind, run } = call;
  if (kind.policies[field]?.isPart !== true) return;
  const whole = await kind.handler(run.api).whole(id, inputs, callOf(call));
  for (const change of kind.partChanges(field, whole, inputs[field], run.api.serverNow())) {
    const options = { ...callOf(call), what: `${whatOf(call.verb, kind, call.urn)}, ${change.at}` };
    await awaitOperation(call, await kind.handler(run.api).changePart(change, inputs, options));
    made();
  }
}

/**
 * Changes a field with its own requests, from the object's present state. So a step before an interruption is not repeated.
 * The last read of `update` shows the result of a request whose answer was lost.
 */
async function act(call: ResourceCall, id: string, inputs: Props, field: string, made: () => void): Promise<void> {
  const { kind, run } = call;
  const policy = kind.policies[field];
  if (policy?.actions === undefined) return;
  const shown = async (): Promise<unknown> => kind.fromWire(await awaitReady(call, id, inputs))[field];
  const before = await shown();
  if (policy.same(before, inputs[field], run.api.serverNow())) return;
  for (const action of policy.actions(before ?? undefined, inputs[field])) {
    try {
      await awaitOperation(call, await kind.handler(run.api).act(id, inputs, action, callOf(call)));
    } catch (error) {
      if (!(error instanceof RequestError) || error.effect === "none") throw error;
      if (policy.same(before, await shown(), run.api.serverNow())) throw error; // nothing of it has arrived
    }
    made();
  }
}

function secretsOf(kind: ResourceKind, olds: Props): Props {
  const names = [...kind.secretOutputs, ...kind.apart.map(({ name }) => name)];
  return Object.fromEntries(names.map((field) => [field, olds[field]]));
}

function withCost(run: Run, urn: string, olds: Props, news: Props): Props {
  const fresh = withQuoteTime(run, urn, news);
  if (costOf(fresh)?.pricedAt !== undefined) return fresh;
  return { ...fresh, cost: withPricedAt(news["cost"], costOf(olds)?.pricedAt) };
}
