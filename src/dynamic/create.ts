import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption";
import { HalfMadeError, RefusedObjectError } from "./errors";
import { adoptionOf, hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { createOnce } from "./lost-creation";
import { succeedOwnCredential } from "./own-credential";
import { costOf, outputsOf, withPricedAt } from "./outputs";
import type { Run } from "./run";
import { assertManageable, begin, callOf, idOf, ready, settled, type Doing } from "./settle";

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

  const { mutation, creation } = await createOnce(doing, props);
  const id = idOf(mutation);
  if (id === undefined) {
    creation.leftOpen();
    throw new RefusedObjectError(`The API answered the creation of a ${kind.noun} without its id.`);
  }
  await creation.accepted(id);
  const known = priced(run, props);
  try {
    await settled(doing, mutation);
    const wire =
      mutation.kind === "resource" ? await ready(doing, id, props, mutation.resource) : await ready(doing, id, props);
    const outs = outputsOf(kind, known, wire, run.api.serverNow());
    const answer = { id, outs: { ...outs, ...(await succeedOwnCredential(kind, run, urn, id, wire)) } };
    creation.handedOver();
    return answer;
  } catch (error) {
    const left = await whatIsLeft(doing, id, props);
    if (left === "nothing") {
      await creation.close();
      throw error;
    }
    creation.handedOver();
    const properties = left === "unknown" ? known : outputsOf(kind, known, left, run.api.serverNow());
    throw new HalfMadeError(id, { ...properties, __halfMade: true }, error);
  }
}

/** Inputs with the time of their quote: what stands in outputs. */
export function priced(run: Run, props: Props): Props {
  const quote = run.memory.of(hiddenOf(props).urn)?.quote;
  const pricedAt = quote?.status === "priced" ? quote.cost.pricedAt : costOf(props)?.pricedAt;
  return { ...props, cost: withPricedAt(props["cost"], pricedAt) };
}

async function takeOver(
  doing: Doing,
  props: Props,
  adopt: { readonly id: string; readonly key: string | undefined },
): Promise<CreateAnswer> {
  const { kind, run, urn } = doing;
  const { id, inputs } = parseId(kind, adopt.id);
  const wire = await kind.handler(run.api).get(id, { ...visibleOf(props), ...inputs }, callOf(doing));
  assertManageable(doing, kind.fromWire(wire));
  run.memory.noteAdopted(id);
  await run.journal.adopted(urn, id, wire["name"]);
  const known: Props = { ...priced(run, props), adopt: undefined };
  const secrets = Object.fromEntries(kind.secretOutputs.map((field) => [field, adopt.key]));
  if (kind.secretOutputs.length > 0 && adopt.key === undefined) {
    await run.rows.line(
      urn,
      "warning",
      `${kind.noun} ${id} was adopted without its secret, which the API shows at creation only: the output "key" is empty. ` +
        `Give it with adopt: { id, key }, or rotate the key to get one.`,
    );
  }
  return { id, outs: { ...outputsOf(kind, { ...known, ...secrets }, wire, run.api.serverNow()), __adopted: id } };
}

/** What a creation that failed has left at the API. */
async function whatIsLeft(doing: Doing, id: string, props: Props): Promise<Props | "nothing" | "unknown"> {
  try {
    return await doing.kind.handler(doing.run.api).get(id, visibleOf(props), callOf(doing));
  } catch (error) {
    return error instanceof NotFoundError ? "nothing" : "unknown";
  }
}
