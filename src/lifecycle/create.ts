import { withApart } from "./apart";
import { HalfMadeError } from "./errors";
import { adoptionOf, hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { createOnce } from "./recovery/lost-creation";
import { succeedOwnCredential } from "./own-credential";
import { costOf, outputsOf, withPricedAt } from "./outputs";
import type { Run } from "./run";
import { begin, callOf, ready, settled, type Doing } from "./settle";
import { takeOver } from "./adoption/take-over";

/** What create answers to the engine. */
export interface CreateAnswer {
  readonly id: string;
  readonly outs: Record<string, unknown>;
}

/** Creates the object, or takes an existing one over. What the API has accepted ends in state, ready or not. */
export async function create(kind: ResourceKind, run: Run, props: Props): Promise<CreateAnswer> {
  const { urn } = hiddenOf(props);
  const doing = begin(kind, run, props, "create");
  const adopt = adoptionOf(props["adopt"]);
  if (adopt) return takeOver(doing, props, adopt);

  const { id, mutation, creation } = await createOnce(doing, props);
  await creation.accepted(id);
  const known = priced(run, props);
  try {
    await settled(doing, mutation);
    const wire =
      mutation.kind === "resource" ? await ready(doing, id, props, mutation.resource) : await ready(doing, id, props);
    const outs = outputsOf(kind, known, await withApart(doing, id, known, wire), run.api.serverNow());
    const answer = { id, outs: { ...outs, ...(await succeedOwnCredential(kind, run, urn, id, wire)) } };
    creation.handedOver();
    return answer;
  } catch (error) {
    const left = await whatIsLeft(doing, id, props);
    await creation.handedOverHalfMade();
    const properties = left === "unknown" ? known : outputsOf(kind, known, left, run.api.serverNow());
    throw new HalfMadeError(id, { ...properties, __halfMade: true }, error);
  }
}

/** Inputs with the time of their quote: what stands in outputs. */
export function priced(run: Run, props: Props): Props {
  const quoted = run.memory.of(hiddenOf(props).urn)?.cost?.after.cost;
  return { ...props, cost: withPricedAt(props["cost"], (quoted ?? costOf(props))?.pricedAt) };
}

/** What a creation that the API had accepted has left there. A 404 does not say "nothing": it may not show the object yet. */
async function whatIsLeft(doing: Doing, id: string, props: Props): Promise<Props | "unknown"> {
  try {
    return await doing.kind.handler(doing.run.api).get(id, visibleOf(props), callOf(doing));
  } catch {
    return "unknown";
  }
}
