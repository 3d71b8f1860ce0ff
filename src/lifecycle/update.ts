import { withApart } from "./apart";
import type { Mutation } from "../api/client";
import { RequestError } from "../api/errors";
import { changedFields } from "./change-policy";
import { priced } from "./create";
import { visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { costOf, outputsOf, withPricedAt } from "./outputs";
import { deleteRetired } from "./own-credential";
import type { Run } from "./run";
import { assertManageable, begin, callOf, ready, settled, type Doing } from "./settle";
import { onceVisible } from "./visibility";

/** What update answers to the engine. */
export interface UpdateAnswer {
  readonly outs: Record<string, unknown>;
}

/** Sends the changed fields, and no others, waits, and returns the outputs as the API then shows them. */
export async function update(
  kind: ResourceKind,
  run: Run,
  id: string,
  olds: Props,
  news: Props,
): Promise<UpdateAnswer> {
  const doing = begin(kind, run, news, "update", olds);
  await run.journal.seen(doing.urn, id);
  assertManageable(doing, olds);
  const inputs = visibleOf(news);
  const now = run.api.serverNow();
  // Without a change this is the engine's second try for an object that was not ready: then only the wait is left to do.
  await applyChanges(doing, id, olds, inputs, changedFields(kind.policies, olds, news, now));
  const wire = await ready(doing, id, news);
  const known = { ...secretsOf(kind, olds), ...withCost(run, olds, news) };
  const outs = outputsOf(kind, known, await withApart(doing, id, known, wire), now);
  return { outs: { ...outs, ...(await deleteRetired(doing, olds)) } };
}

/** Changes the fields in place: by one PATCH, and those that have requests of their own by these. */
export async function applyChanges(
  doing: Doing,
  id: string,
  olds: Props,
  inputs: Props,
  changed: readonly string[],
): Promise<void> {
  const body = doing.kind.toWireUpdate(inputs, changed, doing.run.api.serverNow());
  if (Object.keys(body).length > 0) await sendOnce(doing, id, olds, inputs, body);
  for (const field of changed) {
    await changeParts(doing, id, inputs, field);
    await act(doing, id, inputs, field);
  }
}

/** A lost answer is no loss where the object shows that the change has arrived. */
async function sendOnce(doing: Doing, id: string, olds: Props, inputs: Props, body: Props): Promise<void> {
  const { kind, run } = doing;
  try {
    const patch = (): Promise<Mutation<Props>> => kind.handler(run.api).update(id, inputs, body, callOf(doing));
    await settled(doing, await onceVisible(doing, patch));
  } catch (error) {
    if (!(error instanceof RequestError) || error.effect === "none") throw error;
    const shown = kind.fromWire(await ready(doing, id, inputs));
    const now = run.api.serverNow();
    const wanted = changedFields(kind.policies, olds, inputs, now).filter((field) => shown[field] !== undefined);
    if (changedFields(kind.policies, shown, inputs, now).some((field) => wanted.includes(field))) throw error;
  }
}

/** Changes the objects behind a field at their own endpoints, by what they are now: what has arrived is not sent again. */
async function changeParts(doing: Doing, id: string, inputs: Props, field: string): Promise<void> {
  const { kind, run } = doing;
  if (kind.policies[field]?.isPart !== true) return;
  const whole = await kind.handler(run.api).whole(id, inputs, callOf(doing));
  for (const change of kind.partChanges(field, whole, inputs[field], run.api.serverNow())) {
    await settled(doing, await kind.handler(run.api).changePart(change, inputs, callOf(doing)));
  }
}

/**
 * Changes a field by requests of its own, by what the object is now: what was done before an interruption is not done twice.
 * The last look of `update` tells what has become of a request whose answer was lost.
 */
async function act(doing: Doing, id: string, inputs: Props, field: string): Promise<void> {
  const { kind, run } = doing;
  const policy = kind.policies[field];
  if (policy?.actions === undefined) return;
  const shown = async (): Promise<unknown> => kind.fromWire(await ready(doing, id, inputs))[field];
  const before = await shown();
  if (policy.same(before, inputs[field], run.api.serverNow())) return;
  for (const action of policy.actions(before ?? undefined, inputs[field])) {
    try {
      await settled(doing, await kind.handler(run.api).act(id, inputs, action, callOf(doing)));
    } catch (error) {
      if (!(error instanceof RequestError) || error.effect === "none") throw error;
      if (policy.same(before, await shown(), run.api.serverNow())) throw error; // nothing of it has arrived
    }
  }
}

function secretsOf(kind: ResourceKind, olds: Props): Props {
  const names = [...kind.secretOutputs, ...kind.apart.map(({ name }) => name)];
  return Object.fromEntries(names.map((field) => [field, olds[field]]));
}

function withCost(run: Run, olds: Props, news: Props): Props {
  const fresh = priced(run, news);
  if (costOf(fresh)?.pricedAt !== undefined) return fresh;
  return { ...fresh, cost: withPricedAt(news["cost"], costOf(olds)?.pricedAt) };
}
