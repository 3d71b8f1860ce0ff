import { RequestError } from "../../api/errors";
import { withApart } from "../apart";
import { changesOnAdoption, parseId } from "./adoption";
import { priced, type CreateAnswer } from "../create";
import { HalfMadeError } from "../errors";
import { visibleOf, type AdoptionInput } from "../hidden-inputs";
import { endByAdoption } from "../recovery/interrupted-creation";
import type { Props } from "../kind";
import { outputsOf } from "../outputs";
import { assertManageable, callOf, ready, type Doing } from "../settle";
import { applyChanges } from "../update";

/** Takes an existing object over, and makes the changes that the preview has shown: the object is then as the program says. */
export async function takeOver(doing: Doing, props: Props, adopt: AdoptionInput): Promise<CreateAnswer> {
  const { kind, run } = doing;
  const { id, inputs: place } = parseId(kind, adopt.id);
  const inputs = { ...visibleOf(props), ...place };
  const wire = await kind.handler(run.api).whole(id, inputs, callOf(doing));
  const shown = kind.fromWire(wire);
  assertManageable(doing, shown);
  run.memory.noteAdopted(id);
  await endByAdoption(doing, props, id, wire["name"]);
  await warnOfSecret(doing, id, adopt);

  const secrets = Object.fromEntries(kind.secretOutputs.map((field) => [field, adopt.key]));
  const known: Props = { ...priced(run, props), ...secrets, adopt: undefined };
  const apart = await withApart({ ...doing, verb: "read" }, id, inputs, {});
  const answer = (as: Props): CreateAnswer => ({
    id,
    outs: { ...outputsOf(kind, known, { ...as, ...apart }, run.api.serverNow()), __adopted: id },
  });
  const changed = changesOnAdoption(kind, shown, inputs, run.api.serverNow());
  if (changed.length === 0) return answer(wire);
  try {
    await applyChanges(doing, id, shown, inputs, changed);
    return answer(await ready(doing, id, inputs));
  } catch (error) {
    // Refused, so nothing was changed: then it is not taken over either.
    if (error instanceof RequestError && error.effect === "none") throw error;
    throw new HalfMadeError(id, answer(wire).outs, error);
  }
}

async function warnOfSecret({ kind, run, urn }: Doing, id: string, { key }: AdoptionInput): Promise<void> {
  if (kind.secretOutputs.length === 0 || key !== undefined) return;
  await run.rows.line(
    urn,
    "warning",
    `${kind.noun} ${id} was adopted without its secret, which the API shows at creation only: the output "key" is empty. ` +
      `Give it with adopt: { id, key }, or rotate the key to get one.`,
  );
}
