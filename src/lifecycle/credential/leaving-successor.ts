import type { ResourceCall } from "../objects/resource-call";
import { reportDeleted, reportMissing } from "../objects/deletion";
import { withObject, type RetiredObject } from "../resource-request";
import { decideRetired, deleteOne, isMissing, subject, type RetiredDecision } from "./retired-objects";

/**
 * Called when a resource is deleted. Deletes the retired objects in its state too, because nothing would manage them.
 * The row names their clients, and the objects that must stay. If the resource is only replaced, it deletes none: the
 * successor manages them, also in later runs. `onUnmanaged` is called with the objects that are in no state any longer.
 */
export async function deleteWaiting(call: ResourceCall, id: string, onUnmanaged: OnUnmanaged): Promise<void> {
  const { kind, run, urn, inputs, request } = call;
  const waiting = withoutSuccessor(call);
  if (waiting.length === 0) return;
  if (run.memory.isUnknownToSuccessor(urn, id))
    return warnOfUnmanaged(call, waiting, UNKNOWN_TO_SUCCESSOR, onUnmanaged);
  if (run.memory.isReplaced(urn, id)) return;
  const outputs = { urn, props: inputs, memory: withObject(request.memory, { retired: waiting }) };
  const decisions = await decideRetired({ ...call, outputs });
  for (const each of decisions) {
    const { retired, decision, verdict } = each;
    const reason = reasonToStay(call, each);
    const then = each.isInUse ? UNLESS_DELETED : undefined;
    if (reason !== undefined) await warnOfUnmanaged(call, [retired], reason, onUnmanaged, then);
    if (reason !== undefined || decision === "released") continue;
    if (verdict?.isDue === false) {
      const text = `deletes ${subject(kind, retired)}, because nothing would manage it: ${verdict.reason}`;
      await run.rows.line(urn, "warning", text);
    }
    await deleteOne(call, retired, verdict?.isDue === true ? verdict : undefined);
  }
}

/** The retired objects in the state of a resource that is deleted, without those that its successor keeps. */
function withoutSuccessor(call: ResourceCall): readonly RetiredObject[] {
  return call.request.memory.object.retired.filter(({ id }) => !isKeptBySuccessor(call, id));
}

function isKeptBySuccessor({ run, urn }: ResourceCall, id: string): boolean {
  return run.memory.objects.of(id).isRetired === true || run.memory.has(urn, id);
}

/**
 * The ids of the replaced object and its retired objects that no state would have after this deletion. With
 * `deleteBeforeReplace`, the engine drops the replaced object from the state, and the creation of its successor may
 * then fail. And if this run has not compared the object with the program, its successor may not know all of them.
 */
export async function unknownToAnySuccessor(call: ResourceCall, id: string): Promise<readonly string[]> {
  const { kind, run, urn, request } = call;
  const { memory } = run;
  if (!kind.credential || !memory.isReplaced(urn, id)) return [];
  const all = [id, ...request.memory.object.retired.map((retired) => retired.id)];
  if (memory.isUnknownToSuccessor(urn, id))
    return existing(
      call,
      all.filter((each) => !isKeptBySuccessor(call, each)),
    );
  return memory.objects.of(id).successor?.isMade === true ? [] : existing(call, all);
}

/** Leaves out the ids of objects that the API no longer shows. */
async function existing(call: ResourceCall, ids: readonly string[]): Promise<readonly string[]> {
  const areMissing = await Promise.all(ids.map((id) => isMissing(call, call.inputs, id)));
  return ids.filter((_, i) => !areMissing[i]);
}

/**
 * The advice is conditional: after a failed replacement, this key may be a replaced object too, and then the run
 * deletes it.
 */
const UNLESS_DELETED =
  "If no other row says that it was deleted, nothing manages it any longer: delete it when no client uses it";

/**
 * Why a retired object outlives the resource that knows it. Undefined if it is deleted, or if another resource has it.
 */
function reasonToStay(
  { run }: ResourceCall,
  { retired, decision, verdict, kept, isInUse }: RetiredDecision,
): string | undefined {
  if (decision === "released")
    return run.memory.objects.of(retired.id).adoption?.isDone === false
      ? "this run was to adopt it, and has not done so"
      : undefined;
  if (kept !== undefined) return kept;
  if (isInUse) return "the provider may still sign in with it";
  return decision === "keep" && verdict === undefined ? "deleteOld leaves it until then" : undefined;
}

/** Called with objects that no state has any longer. */
export type OnUnmanaged = (ids: readonly string[]) => Promise<void>;

/**
 * Called when a resource leaves the state, but its object stays. Names the waiting retired objects, because nothing
 * manages them any longer. `onUnmanaged` is called with them.
 */
export async function leaveWaiting(
  call: ResourceCall,
  onUnmanaged: OnUnmanaged,
  reason = "another resource has adopted its successor",
): Promise<void> {
  await warnOfUnmanaged(call, withoutSuccessor(call), reason, onUnmanaged);
}

export const UNKNOWN_TO_SUCCESSOR =
  "its successor does not know it, as after --target-replace, an import, or a failed run with another deleteOld";

/**
 * After a failed replacement, a later successor may also list the object, and the refresh may not have read that
 * successor yet.
 */
const MAY_BE_MANAGED =
  "If the next preview does not name it, nothing manages it any longer: delete it when no client uses it";

/** Called when a refresh removes a deleted object from the state. The retired objects are then in no state. */
export async function warnOfWaiting(call: ResourceCall): Promise<void> {
  const { retired } = call.request.memory.object;
  await warnOfUnmanaged(call, retired, "its successor no longer exists", undefined, MAY_BE_MANAGED);
}

export async function warnOfUnmanaged(
  call: ResourceCall,
  objects: readonly Pick<RetiredObject, "id">[],
  reason: string,
  onUnmanaged?: OnUnmanaged,
  then = "Nothing manages it any longer: delete it when no client uses it",
): Promise<void> {
  const { kind, run, urn } = call;
  const ids = objects.map(({ id }) => id);
  const left = await existing(call, ids);
  // A refresh deletes nothing, so it must not count the object as missing on deletion.
  const report = call.verb === "read" ? reportMissing : reportDeleted;
  for (const id of ids.filter((each) => !left.includes(each))) await report(call, id);
  if (left.length === 0) return;
  await onUnmanaged?.(left);
  const text = `${kind.noun} ${left.join(" and ")} stays until it expires, because ${reason}. ${then}`;
  await run.rows.line(urn, "warning", text);
}
