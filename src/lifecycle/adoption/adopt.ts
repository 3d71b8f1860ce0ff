import { isRefusal } from "../../api/errors";
import { partIdsOf } from "../kind/collection-at";
import { hasParts, withNamedPartsOnly } from "../../definition/parts";
import { fromWire } from "../../definition/wire";
import { applyChanges, NOT_READ } from "../objects/apply-changes";
import { withSubResources } from "../objects/sub-resource-outputs";
import { awaitParts } from "../objects/program-values";
import { awaitStable } from "../objects/readiness";
import { InitFailedError, IncompleteChangeError, RefusedObjectError } from "../errors";
import { tryCredential } from "../credential/trial";
import { succeedOwnCredential } from "../credential/own-credential";
import { lockExisting, type LockedObject } from "../recovery/locked-object";
import type { RecoveryCall } from "../recovery/recovery-call";
import { type Props, type ResourceKind, outputsOf, operationName } from "../kind/kind";
import { withQuoteTime } from "../pricing/cost-in-state";
import { withObject, type CreateAnswer, type ResourceState } from "../resource-request";
import { assertManageable, getObjectWithParts, hiddenSince, type ResourceCall } from "../objects/resource-call";
import { adoptionOf, changesOnAdoption, deletedText } from "./adoption-check";
import { parseImportId } from "../../definition/import-id";
import { awaitDiscovered, beforeAdoption } from "./discovery";
import { claimObject } from "../memory/claim-object";

/** Takes an existing object over, and makes the changes that the preview has shown. */
export async function adoptObject(call: RecoveryCall): Promise<CreateAnswer> {
  const { kind, run } = call;
  const adopt = adoptionOf(kind, call.inputs["adopt"]) ?? { id: await awaitDiscovered(call), secrets: {} };
  const { id, inputs: pathInputs } = parseImportId(kind, adopt.id);
  const inputs = { ...call.inputs, ...pathInputs };
  run.memory.objects.note(id, { adoption: { isDone: false } });
  const read = (): Promise<Props> => getObjectWithParts({ ...call, inputs }, id);
  // The API shows the old values until a change has ended, and an object that something else has just made has no
  // addresses yet.
  const readStable = (): Promise<Props> => awaitStable(call, read);
  const locked = await lockExisting(call, id, readStable);
  try {
    const present = locked?.object ?? (await readStable());
    assertAdoptable(call, id, present);
    const looks = { present, again: readStable };
    const { wire } = hasParts(kind) ? await awaitParts({ ...call, inputs }, id, looks) : { wire: present };
    return await takeOver(call, { id, inputs, secrets: adopt.secrets, wire, read, locked });
  } catch (error) {
    if (!(error instanceof InitFailedError)) await locked?.unlock();
    throw error;
  }
}

/**
 * Throws RefusedObjectError for an object that is deleted, that the API manages itself, or that another resource has.
 */
function assertAdoptable(call: RecoveryCall, id: string, wire: Props): void {
  const { kind, urn } = call;
  assertManageable(call, fromWire(kind, wire));
  const refusal =
    wire["status"] === "deleted"
      ? deletedText(kind, id)
      : claimObject(call, id, { isCertain: true, existedBefore: true });
  if (refusal !== undefined) throw new RefusedObjectError(`${operationName("create", kind, urn)}: ${refusal}.`);
}

interface TakeOver {
  readonly id: string;
  readonly inputs: Props;
  /** The secrets that the program gives. */
  readonly secrets: Props;
  /** The object as the API shows it, and a function that reads it again. */
  readonly wire: Props;
  readonly read: () => Promise<Props>;
  readonly locked: LockedObject | undefined;
}

async function takeOver(
  call: RecoveryCall,
  { id, inputs, secrets: given, wire, read, locked }: TakeOver,
): Promise<CreateAnswer> {
  const { kind, run, urn, request } = call;
  if (wire["status"] === "error")
    await run.rows.line(urn, "warning", `the API shows the adopted ${kind.noun} ${id} with the status "error"`);
  const shown = withNamedPartsOnly(kind, fromWire(kind, wire), inputs);
  const found = kind.discovery && (await beforeAdoption(call, id, shown));
  await warnOfLostSecrets(call, id, given, "was adopted");
  // Only the program knows the secrets. An answer may have a placeholder in their place.
  const secrets = Object.fromEntries(kind.secretOutputs.map((name) => [name, given[name]]));
  const outputs = { ...shown, ...secrets };
  await tryCredential({ ...call, inputs: outputs }, { id, outputs, wire, isAdopted: true });

  const known: Props = { ...withQuoteTime(run.memory, urn, call.inputs), ...given, adopt: undefined };
  const object = { existedBefore: true, foundAs: found?.foundAs, ownParts: partIdsOf(kind, wire) };
  // A refresh takes the inputs from the outputs.
  const adopted = call.inputs["adopt"] === undefined ? request.memory.adopted : id;
  const memory = withObject({ ...request.memory, adopted }, object);
  const subResources = await withSubResources({ ...call, verb: "read" }, id, inputs, {});
  const stateOf = (as: Props): ResourceState => {
    return { urn, props: outputsOf(kind, known, { ...as, ...subResources }, run.api.now()), memory };
  };
  const handOver = async (): Promise<void> => (found ?? locked)?.handOver();
  const changed = changesOnAdoption(kind, shown, inputs, run.api.now());
  const changing = { ...call, inputs, hiddenMs: hiddenSince(run, { props: shown, memory }) }; // the API has shown it
  const made = await applyChanges(changing, id, changed).catch(async (error: unknown) => {
    if (error instanceof IncompleteChangeError && !error.isRefused) {
      await handOver();
      const text = found ? "" : `\n${takenOverText(kind, id)}`;
      const left = await read().catch(() => undefined);
      if (!left) await run.rows.line(urn, "warning", NOT_READ);
      const state = { ...stateOf(left ?? wire), memory: withObject(memory, { attempted: changed }) };
      throw new InitFailedError(id, state, new IncompleteChangeError(error.cause, text));
    }
    // The object is not taken over. After a conflict (409), an earlier delivery of the request may still change it, so
    // the journal keeps its former values.
    const isIncomplete = error instanceof IncompleteChangeError;
    if (!isIncomplete || isRefusal(error.cause)) await found?.refused();
    throw isIncomplete ? error.cause : error;
  });
  await handOver().catch((error: unknown) => {
    throw made ? new InitFailedError(id, stateOf(made), error) : error;
  });
  await succeedOwnCredential(call, id, outputs);
  return { id, state: stateOf(made ?? wire) };
}

function takenOverText({ noun }: ResourceKind, id: string): string {
  return (
    `The resource has taken over ${noun} ${id} all the same, because a part of the change is made, or may still be. The next run does the rest. If the ` +
    `resource leaves the program, the ${noun} is deleted. To keep it then, run \`pulumi state delete\`.`
  );
}

/**
 * Warns if the state lacks, or will lack, a secret of the object. `given`: the known secrets. After a preview, the user
 * can still give one.
 */
export async function warnOfLostSecrets(
  { kind, run, urn }: Pick<ResourceCall, "kind" | "run" | "urn">,
  id: string,
  given: Props,
  how: "is to be adopted" | "was adopted" | "is in the state",
): Promise<void> {
  const missing = kind.secretOutputs.filter((name) => given[name] === undefined);
  if (missing.length === 0) return;
  const names = missing.join(", ");
  const advice = how === "is to be adopted" ? `Give it with adopt: { id, ${names} }, or replace` : "Replace";
  await run.rows.line(
    urn,
    "warning",
    `${kind.noun} ${id} ${how} without its secret, which the API shows at creation only: ` +
      `the output "${names}" is empty. ${advice} the ${kind.noun} to get a new one.`,
  );
}
