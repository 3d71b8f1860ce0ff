import { partsIn } from "../../definition/parts";
import { giveBack } from "../adoption/discovery";
import { foundText } from "../../journal/left-behind";
import { otherOwner, readerName } from "../memory/known-objects";
import { keepsOwnCredential } from "../credential/own-credential";
import { deleteWaiting, leaveWaiting, unknownToAnySuccessor, type OnUnmanaged } from "../credential/leaving-successor";
import { keptByProgram, keptForPair, waitsForClients } from "../credential/replaced-object";
import { ConflictError } from "../../api/errors";
import { deleteIfThere } from "../objects/deletion";
import { type Props, type ResourceKind, operationName } from "../kind/kind";
import { ObjectInUseError } from "../errors";
import { isSameId } from "../../definition/same-id";
import { assertDeletable, contentsOf, inUseError } from "./refused-deletion";
import { warnOfRemainingParts } from "./remaining-parts";
import type { RecoveryCall, RecoveryRun } from "../recovery/recovery-call";
import type { ResourceRequest } from "../resource-request";
import { assertManageable, begin, type ResourceCall } from "../objects/resource-call";

/**
 * Deletes the object, unless something else still needs it. An object that no longer exists counts as deleted. A new
 * object may exist although the API does not show it yet.
 */
export async function remove(kind: ResourceKind, run: RecoveryRun, sent: ResourceRequest): Promise<void> {
  const request = { ...sent, urn: run.memory.currentUrn(sent) };
  const call = begin(kind, run, request, "delete");
  const { urn, id, inputs, memory } = request;
  const all = [id, ...memory.object.retired.map((retired) => retired.id)];
  for (const each of all) await run.journal.noteInState(urn, each);
  const onUnmanaged = journalUnmanaged(call);
  if (await isLeft(call, id, onUnmanaged)) return;
  if (kind.discovery) return giveBack(call, id);
  const reader = readerName(run.memory.objects, id);
  if (reader !== undefined)
    throw inUseError(call, id, `the program still reads it with the get "${reader}"`, { advice: "Remove that get" });
  await deleteWaiting(call, id, onUnmanaged);
  const unknown = await unknownToAnySuccessor(call, id);
  if (await staysForNow(call, id)) return onUnmanaged(unknown);
  await deleteIfThere(call, id, () => assertDeletable(call, id)).catch(async (error: unknown) => {
    if (!(error instanceof ConflictError)) throw error;
    const contents = await contentsOf(call, id).catch(() => undefined);
    throw inUseError(call, id, contents ?? `the API answered ${error.responseText}`, { cause: error });
  });
  await onUnmanaged(unknown.filter((each) => each !== id));
  const kept = run.memory.missing.wasMissing(id)
    ? `stays: the API shows no ${kind.noun} ${id} that it belongs to`
    : `stays: the API did not delete it with the ${kind.noun}`;
  await warnOfRemainingParts(call, partsIn(kind, inputs), kept);
}

/**
 * Adds objects that are in no state to the journal, so that the doctor names them. Such an entry is closed when the
 * state of a successor has the key.
 */
function journalUnmanaged(call: RecoveryCall): OnUnmanaged {
  const { journal } = call.run;
  const known = new Set<string>();
  return async (ids) => {
    const others = ids.filter((each) => !known.has(each));
    others.forEach((each) => known.add(each));
    if (others.length > 0) await journal.supersede(await journal.begin(call), others);
  };
}

/**
 * True if the resource leaves its object as it is: another resource has it or adopts it, or the state retains it. The
 * row says so. Rejects with ObjectInUseError if another resource was to adopt it, and has not done so.
 */
async function isLeft(call: ResourceCall, id: string, onUnmanaged: OnUnmanaged): Promise<boolean> {
  const { kind, run, urn, inputs, request } = call;
  const { objects } = run.memory;
  const adoption = objects.of(id).adoption;
  if (adoption?.isDone === false) {
    throw new ObjectInUseError(
      `${operationName("delete", kind, urn)}: this run was to adopt ${kind.noun} ${id} for another resource, and has not done so. Nothing was ` +
        `deleted. Correct what the other resource's error says, and run again.`,
    );
  }
  const other = otherOwner(objects, urn, id);
  if (adoption || isAdoptedNext(call, id)) {
    await leaveWaiting(call, onUnmanaged);
    const taker =
      other === undefined ? "its replacement has taken it over" : "this run has adopted it for another resource";
    await reportKept(call, id, taker, adoption?.foundAs);
    return true;
  }
  assertManageable(call, inputs);
  // After an interrupted replacement whose new object has adopted the same object, the state has the resource twice.
  if (other === undefined && objects.of(id).owner?.decision === "kept") {
    await reportKept(call, id, "the resource still has it", run.memory.of(urn)?.outputs?.memory.object.foundAs);
    return true;
  }
  // The engine calls no deletion if its own state has retainOnDelete. But a failed update, or a refresh with
  // --run-program, may have removed the option there after the row of a replacement said that the object stays.
  if (request.memory.retainOnDelete) {
    await leaveWaiting(call, onUnmanaged, "retainOnDelete keeps its successor");
    const text = `${kind.noun} ${id} stays: an update had retainOnDelete. Nothing manages it any longer: delete it when nothing needs it`;
    await run.rows.line(urn, "warning", text);
    return true;
  }
  if (kind.discovery || other === undefined) return false;
  await leaveWaiting(call, onUnmanaged);
  await run.rows.line(urn, "info", `${kind.noun} ${id} stays: it belongs to the resource "${other}" too`);
  return true;
}

/**
 * True if a replaced object stays in this run, for its clients, for the program or because the provider signs in with
 * it. The row says so.
 */
async function staysForNow(call: ResourceCall, id: string): Promise<boolean> {
  const { kind, run, urn, inputs } = call;
  if (run.memory.isMissing(urn, id)) return false;
  if ((await keepsOwnCredential(call, id, inputs)) || (await waitsForClients(call, id))) return true;
  const reason = keptByProgram(call, id) ?? keptForPair(call, id);
  if (reason === undefined || !run.memory.isReplaced(urn, id)) return false;
  await run.rows.line(urn, "info", `${kind.noun} ${id} was replaced: ${reason}`);
  return true;
}

/**
 * True if the resource will adopt its own object again. With `--replace` and `deleteBeforeReplace`, the engine deletes
 * first and compares nothing. (A replacement after a comparison makes another object.)
 */
function isAdoptedNext({ run, urn }: ResourceCall, id: string): boolean {
  const facts = run.memory.of(urn);
  return facts?.id === undefined && isSameId(facts?.adoptedId, id);
}

/** Reports that an object stays. `known`: the former values that its present resource would restore. */
function reportKept(call: ResourceCall, id: string, taker: string, known: Props | undefined): Promise<void> {
  const { kind, run, urn, request } = call;
  const { foundAs } = request.memory.object;
  const stays = `${kind.noun} ${id} stays: ${taker}`;
  if (foundAs === undefined || (known && foundText(known) === foundText(foundAs)))
    return run.rows.line(urn, "info", stays);
  const found = `which has no record of the original ${foundText(foundAs)}`;
  const advice =
    otherOwner(run.memory.objects, urn, id) === undefined
      ? "After a destroy, set that in the API or the dashboard"
      : "Set that before you remove the other resource. To rename a resource, give it an alias";
  return run.rows.line(urn, "warning", `${stays}, ${found}. ${advice}`);
}
