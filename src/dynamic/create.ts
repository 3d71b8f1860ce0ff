import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption";
import { HalfMadeError, RefusedObjectError } from "./errors";
import { adoptionOf, hiddenOf, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { createOnce } from "./lost-creation";
import { costOf, outputsOf, withPricedAt } from "./outputs";
import type { Run } from "./run";
import { callOf, idOf, ready, settled, type Doing } from "./settle";

/** What create answers to the engine. */
export interface CreateAnswer {
  readonly id: string;
  readonly outs: Record<string, unknown>;
}

/** Creates the object, or takes an existing one over. What the API has accepted ends in state, ready or not. */
export async function create(kind: ResourceKind, run: Run, props: Props): Promise<CreateAnswer> {
  const doing: Doing = { kind, run, urn: hiddenOf(props).urn, verb: "create" };
  const adopt = adoptionOf(props["adopt"]);
  if (adopt) return takeOver(doing, props, adopt);

  const mutation = await createOnce(doing, props);
  const id = idOf(mutation);
  if (id === undefined) throw new RefusedObjectError(`The API answered the creation of a ${kind.noun} without its id.`);
  const known = priced(run, props);
  try {
    await settled(doing, mutation);
    const wire =
      mutation.kind === "resource" ? await ready(doing, id, props, mutation.resource) : await ready(doing, id, props);
    return { id, outs: outputsOf(kind, known, wire, run.api.serverNow()) };
  } catch (error) {
    if (await isGone(doing, id, props)) throw error;
    throw new HalfMadeError(id, known, error);
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
  const refusal = kind.refuse?.(wire);
  if (refusal !== undefined) throw new RefusedObjectError(refusal);
  run.memory.noteAdopted(id);
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

/** Whether a creation that failed left nothing behind. If it can't be told, it is taken to have left something. */
async function isGone({ kind, run, ...doing }: Doing, id: string, props: Props): Promise<boolean> {
  try {
    await kind.handler(run.api).get(id, visibleOf(props), callOf({ kind, run, ...doing }));
    return false;
  } catch (error) {
    return error instanceof NotFoundError;
  }
}
