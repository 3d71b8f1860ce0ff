import { CloudinfraError } from "../../api/errors";
import { runsWithoutDependents } from "../../process/cli-process";
import { timeOf } from "../../time/utc";
import { isSameId } from "../../definition/same-id";
import { pairOf } from "../../engine/urn";
import { messageOf } from "../errors";
import type { DeletionOfOld, RetirementRule } from "../../definition/capabilities";
import type { Props, ResourceKind } from "../kind/kind";
import { begin, type ComparedResource, type ObjectRun, type ResourceCall } from "../objects/resource-call";
import type { RunFacts } from "../memory/run-memory";
import { withObject, type DeclaredResource, type ResourceState, type RetiredObject } from "../resource-request";
import { endOf, ownCredential } from "./own-credential";
import { UNKNOWN_TO_SUCCESSOR, warnOfUnmanaged } from "./leaving-successor";
import { deleteRetired } from "./retired-objects";
import { deletionOfOld, deletionOfReplaced, hasLeaked } from "./retirement";

/**
 * Called before the new object of a replacement is made, while the state still has the replaced object. Deletes the
 * retired objects that need not wait any longer. Returns the others, which stay in the state.
 */
export async function deleteRetiredBeforeReplacement(call: ResourceCall): Promise<readonly RetiredObject[]> {
  const { kind, run, urn } = call;
  const { outputs } = replacedObjectOf(call.run, call.urn) ?? {};
  if (!outputs) return [];
  // With the verb of the deletion, a 404 means that the old object no longer exists. With that of the creation, it
  // would mean that a new object is not visible yet.
  const deletion = begin(kind, run, { ...call.request, last: outputs }, "delete");
  try {
    return await deleteRetired(deletion, outputs);
  } catch (error) {
    if (!(error instanceof CloudinfraError)) throw error;
    await run.rows.line(
      urn,
      "warning",
      `replaced ${kind.nouns} could not be deleted, so the next run does it: ${messageOf(error)}`,
    );
    return outputs.memory.object.retired;
  }
}

/**
 * Says in a preview that the replaced object will wait for its clients, or that `--target` leaves out its dependents.
 */
export async function announceWaiting(resource: ComparedResource): Promise<void> {
  const { kind, run, urn, outputs } = resource;
  const deletion = deletionOfCompared(resource);
  const rule = waitingRule(deletion, outputs);
  if (!rule) return warnOfTarget(resource, deletion);
  const text = `the old ${kind.noun} stays until it has been quiet for ${rule.whenQuietFor.text}, and no longer than ${rule.atLatest.text}`;
  await run.rows.line(urn, "info", text);
}

/** If `--target` names the key alone, the engine deletes the replaced object although its dependents still use it. */
async function warnOfTarget({ kind, run, urn, outputs }: ComparedResource, deletion: DeletionOfOld): Promise<void> {
  if (!kind.credential || outputs.memory.retainOnDelete || deletion === "never") return;
  if (ownCredential(kind, run, outputs.props) !== undefined || !runsWithoutDependents()) return;
  const text = `--target leaves out what depends on this ${kind.noun} and is no target: it keeps the old ${kind.credential.word}, which the update deletes. Add --target-dependents`;
  await run.rows.line(urn, "warning", text);
}

/**
 * Called with the new object of a replacement: its state remembers the old objects that may stay. `left`: the answer of
 * `deleteRetiredBeforeReplacement`.
 */
export function withReplaced(
  call: ResourceCall,
  id: string,
  state: ResourceState,
  left: readonly RetiredObject[],
): ResourceState {
  // A resource may adopt one of its retired objects again.
  const retired = [...left, ...retiredBy(call, state.props)].filter((each) => !isSameId(each.id, id));
  const memory = { replaced: replacedIdsOf(call), retired, keptOfPair: currentOfReplacedPair(call) };
  return { ...state, memory: withObject(state.memory, memory) };
}

/** The replaced object, if a later run is to delete it. */
function retiredBy(call: ResourceCall, { createdAt }: Props): readonly RetiredObject[] {
  const { kind, run, urn } = call;
  const replaced = replacedObjectOf(run, urn);
  if (!replaced || replaced.isMissing) return [];
  const { id, outputs } = replaced;
  const isOwn = ownCredential(kind, run, outputs.props) !== undefined;
  const program = { props: call.inputs, memory: call.request.memory };
  // With `deleteBeforeReplace`, the deletion of the replaced object came first, and has decided it.
  const isDecided = run.memory.of(urn)?.deleteBeforeReplace === true && !isOwn;
  // The decision of diff counts, as for the deletion of the replaced object. With `ignoreChanges`, only diff gets the
  // former `deleteOld`.
  const { whenReplaced: known } = run.memory.objects.of(id).owner ?? {};
  const isToWait =
    known === undefined ? waitingRule(deletionOf(kind, program, outputs), outputs) !== undefined : known === "waits";
  const waits = run.memory.objects.of(id).isRetired === true || (!isDecided && isToWait);
  const expiresAt = timeOf(endOf(kind, outputs.props));
  // The wait begins at the creation of the new object at the earliest, even if the time in the API's answers is
  // earlier.
  const replacedAt = Math.max(run.api.now(), timeOf(createdAt) ?? 0);
  return waits || isOwn ? [{ id, isOwn, replacedAt, expiresAt, hasLeaked: !waits && hasLeaked(program, outputs) }] : [];
}

/** The rule by which the replaced object waits. None for an object that was never ready, because it has no clients. */
function waitingRule(deletion: DeletionOfOld, { memory }: Pick<ResourceState, "memory">): RetirementRule | undefined {
  if (memory.object.neverReady || memory.retainOnDelete) return undefined;
  return typeof deletion === "string" ? undefined : deletion;
}

function deletionOf(kind: ResourceKind, program: DeclaredResource, old: Pick<ResourceState, "memory">): DeletionOfOld {
  return deletionOfOld(kind, program.props, hasLeaked(program, old));
}

/** The fate of an object that this run replaces, by the program's `deleteOld`. */
export function whenReplaced(resource: ComparedResource): "expires" | "waits" | "deleted" {
  const deletion = deletionOfCompared(resource);
  if (deletion === "never") return "expires";
  return waitingRule(deletion, resource.outputs) ? "waits" : "deleted";
}

function deletionOfCompared({ kind, request, outputs }: ComparedResource): DeletionOfOld {
  return deletionOf(kind, { props: request.inputs, memory: request.memory }, outputs);
}

/** Why the program wants a replaced object to stay. */
export function keptByProgram(call: ResourceCall, id: string): string | undefined {
  const { kind, run, inputs } = call;
  const { whenReplaced: known } = run.memory.objects.of(id).owner ?? {};
  const stays = known === undefined ? deletionOfReplaced(call, id) === "never" : known === "expires";
  return stays ? `it is not deleted, and expires on ${endOf(kind, inputs)}` : undefined;
}

/**
 * Why a replaced object stays if one run has made both keys of a pair anew, as after a failed run: a client may just
 * have fetched the one that was current. One that has expired does not matter.
 */
export function keptForPair({ kind, run, inputs }: ResourceCall, id: string): string | undefined {
  const expiresAt = endOf(kind, inputs);
  if (!run.memory.objects.of(id).isKeptOfPair || Date.parse(expiresAt) <= run.api.now()) return undefined;
  return `it stays until it expires on ${expiresAt}, because one run has made both keys of the pair anew. Delete it when no client uses it`;
}

/**
 * If this run makes both keys of a pair anew: the id of the old key that was current. Of two old keys, that is the one
 * that is due later.
 */
function currentOfReplacedPair({ run, urn }: ResourceCall): string | undefined {
  const slots = pairOf(urn);
  const [one, other] = slots.flatMap((each) => replacedObjectOf(run, each) ?? []).filter(({ isMissing }) => !isMissing);
  if (!one || !slots.every((each) => run.memory.isNew(each) || replacedObjectOf(run, each))) return undefined;
  return other && dueOf(other.outputs) > dueOf(one.outputs) ? other.id : one.id;
}

function dueOf({ props }: ResourceState): number {
  return timeOf(props["rotatesAt"]) ?? 0;
}

interface ReplacedObject extends Pick<RunFacts, "isMissing"> {
  readonly id: string;
  readonly outputs: ResourceState;
}

/** The replaced object in this run, if the engine has compared it with the program. */
function replacedObjectOf({ memory }: ObjectRun, urn: string): ReplacedObject | undefined {
  const { replaced, outputs, id, isMissing = false } = memory.of(urn) ?? {};
  return replaced && outputs && id !== undefined ? { id, outputs, isMissing } : undefined;
}

/**
 * The most predecessors that a state remembers (2 kB). As many replacements can fail in succession, for example one in
 * each nightly run.
 */
const MAX_REPLACED = 50;

/** See `ObjectMemory.replaced`. */
function replacedIdsOf({ run, urn }: ResourceCall): readonly string[] {
  const old = replacedObjectOf(run, urn);
  return old ? [old.id, ...old.outputs.memory.object.replaced].slice(0, MAX_REPLACED) : [];
}

/**
 * True if the replaced object waits for its clients. The row then says so, and the state of its successor keeps it. The
 * engine may ask for the deletion before the creation of the successor.
 */
export async function waitsForClients(call: ResourceCall, id: string): Promise<boolean> {
  const { kind, run, urn, request } = call;
  const { objects } = run.memory;
  const { program } = objects.here(id);
  const waits = objects.of(id).isRetired === true || objects.of(id).owner?.whenReplaced === "waits";
  if (waits || (program && waitingRule(deletionOf(kind, program, request), request))) {
    objects.noteRetired(id);
    await run.rows.line(urn, "info", `${kind.noun} ${id} was replaced, and waits until no client uses it`);
    return true;
  }
  if (!run.memory.isUnknownToSuccessor(urn, id)) return false;
  if (!waitingRule(deletionOfReplaced(call, id), request)) return false;
  await warnOfUnmanaged(call, [{ id }], UNKNOWN_TO_SUCCESSOR);
  return true;
}
