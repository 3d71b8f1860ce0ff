import { RequestError } from "../../api/errors";
import { withApart } from "../apart";
import { awaitReady, readUnchanging } from "../readiness";
import { HalfMadeError, RefusedObjectError } from "../errors";
import { endByAdoption } from "../recovery/interrupted-creation";
import type { Props } from "../kind";
import { outputsOf, withQuoteTime } from "../outputs";
import type { CreateAnswer } from "../resource-request";
import { assertManageable, callOf, whatOf, type ResourceCall } from "../resource-call";
import { applyChanges } from "../update";
import { changesOnAdoption, parseId, type AdoptionInput } from "./adoption";
import { beforeTakeOver } from "./discovery";
import { holdObject } from "./holder";

/** Takes an existing object over, and makes the changes that the preview has shown. */
export async function takeOver(call: ResourceCall, adopt: AdoptionInput): Promise<CreateAnswer> {
  const { kind, run, urn, request } = call;
  const { id, inputs: place } = parseId(kind, adopt.id);
  const inputs = { ...call.inputs, ...place };
  const whole = (): Promise<Props> => kind.handler(run.api).whole(id, inputs, callOf(call));
  const wire = await readUnchanging(call, id, inputs, whole);
  const shown = kind.fromWire(wire);
  assertManageable(call, shown);
  const refusal = holdObject(kind, run, urn, id, true);
  if (refusal !== undefined) throw new RefusedObjectError(`${whatOf("create", kind, urn)}: ${refusal}.`);
  run.memory.noteAdopted(id);
  const found = kind.discovery && (await beforeTakeOver(call, id, shown));
  if (!found) await endByAdoption(call, id, wire["name"]);
  await warnOfSecret(call, id, adopt);

  const known: Props = { ...withQuoteTime(run, urn, call.inputs), ...adopt.secrets, adopt: undefined };
  const adopted = call.inputs["adopt"] === undefined ? request.memory.adopted : id;
  const memory = { ...request.memory, adopted, foundAs: found?.foundAs };
  const apart = await withApart({ ...call, verb: "read" }, id, inputs, {});
  const answer = (as: Props): CreateAnswer => ({
    id,
    state: { urn, props: outputsOf(kind, known, { ...as, ...apart }, run.api.serverNow()), memory },
  });
  const changed = changesOnAdoption(kind, shown, inputs, run.api.serverNow());
  if (changed.length === 0) return answer(wire);
  try {
    await applyChanges(call, id, shown, inputs, changed);
    return answer(await awaitReady(call, id, inputs));
  } catch (error) {
    // A refused change has changed nothing, so the object is not taken over either. A refused read follows an accepted change.
    if (error instanceof RequestError && error.effect === "none" && error.method !== "GET") {
      await found?.refused();
      throw error;
    }
    throw new HalfMadeError(id, answer(await whole().catch(() => wire)).state, error);
  }
}

async function warnOfSecret({ kind, run, urn }: ResourceCall, id: string, { secrets }: AdoptionInput): Promise<void> {
  const missing = kind.secretOutputs.filter((name) => secrets[name] === undefined);
  if (missing.length === 0) return;
  const names = missing.join(", ");
  await run.rows.line(
    urn,
    "warning",
    `${kind.noun} ${id} was adopted without its secret, which the API shows at creation only: the output "${names}" is empty. ` +
      `Give it with adopt: { id, ${names} }, or replace the ${kind.noun} to get a new one.`,
  );
}
