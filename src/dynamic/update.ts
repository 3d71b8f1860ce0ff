import { RequestError } from "../api/errors";
import { changedFields } from "./change-policy";
import { priced } from "./create";
import { visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { costOf, outputsOf, withPricedAt } from "./outputs";
import { deleteRetired } from "./own-credential";
import type { Run } from "./run";
import { assertManageable, begin, callOf, ready, settled, type Doing } from "./settle";
import { wireUpdateOf } from "./wire-update";

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
  const doing = begin(kind, run, news, "update");
  await run.journal.seen(doing.urn, id);
  assertManageable(doing, olds);
  const inputs = visibleOf(news);
  const now = run.api.serverNow();
  const changed = changedFields(kind.policies, olds, news, now);
  const body = wireUpdateOf(kind, inputs, changed, now);
  // Without a change this is the engine's second try for an object that was not ready: then only the wait is left to do.
  if (Object.keys(body).length > 0) await sendOnce(doing, id, olds, inputs, body);
  const wire = await ready(doing, id, news);
  const outs = outputsOf(kind, { ...secretsOf(kind, olds), ...withCost(run, olds, news) }, wire, now);
  return { outs: { ...outs, ...(await deleteRetired(doing, olds)) } };
}

/** A lost answer is no loss where the object shows that the change has arrived. */
async function sendOnce(doing: Doing, id: string, olds: Props, inputs: Props, body: Props): Promise<void> {
  const { kind, run } = doing;
  try {
    await settled(doing, await kind.handler(run.api).update(id, inputs, body, callOf(doing)));
  } catch (error) {
    if (!(error instanceof RequestError) || error.effect === "none") throw error;
    const shown = kind.fromWire(await ready(doing, id, inputs));
    const now = run.api.serverNow();
    const wanted = changedFields(kind.policies, olds, inputs, now).filter((field) => shown[field] !== undefined);
    if (changedFields(kind.policies, shown, inputs, now).some((field) => wanted.includes(field))) throw error;
  }
}

function secretsOf(kind: ResourceKind, olds: Props): Props {
  return Object.fromEntries(kind.secretOutputs.map((field) => [field, olds[field]]));
}

function withCost(run: Run, olds: Props, news: Props): Props {
  const fresh = priced(run, news);
  if (costOf(fresh)?.pricedAt !== undefined) return fresh;
  return { ...fresh, cost: withPricedAt(news["cost"], costOf(olds)?.pricedAt) };
}
