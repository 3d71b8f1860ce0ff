import { CloudinfraError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import type { DeletionOfOld } from "../../definition/capabilities";
import { deletionOfOld, retirement, type Retirement } from "./retirement";
import { usesOf } from "./key-uses";
import { secondText } from "../../time/utc";
import { RefusedChangeError, RefusedObjectError } from "../errors";
import { isSameId } from "../../definition/same-id";
import { collectionAt } from "../kind/collection-at";
import { operationName, type Props, type ResourceKind, type RunResource } from "../kind/kind";
import { claimObject } from "../memory/claim-object";
import { otherOwner, readerName } from "../memory/known-objects";
import { deleteIfThere } from "../objects/deletion";
import type { ComparedResource, ObjectRun, ResourceCall } from "../objects/resource-call";
import type { ResourceState, RetiredObject } from "../resource-request";
import { isSignedInWith } from "./own-credential";

/** The decision about a retired object in this run. */
export interface RetiredDecision {
  readonly retired: RetiredObject;
  /** `released`: a resource has adopted it. `missing`: the API does not show it. */
  readonly decision: "keep" | "delete" | "released" | "missing";
  /** The result of the kind's retirement rule, if it applies to the object. */
  readonly verdict?: Retirement | undefined;
  /** Why the program keeps it: `the program reads it with the get "x"`. */
  readonly kept?: string | undefined;
  /** True if the provider may still sign in with it. */
  readonly isInUse?: boolean;
}

/**
 * Decides about the retired objects in the memory of their successor. It asks the audit log about those with a
 * retirement rule.
 */
export async function decideRetired(successor: ComparedResource): Promise<readonly RetiredDecision[]> {
  const { kind, run, urn, request, outputs } = successor;
  const isRetained = request.memory.retainOnDelete;
  const deletionOf = ({ hasLeaked }: RetiredObject): DeletionOfOld =>
    isRetained ? "never" : deletionOfOld(kind, request.inputs, hasLeaked);
  const waitedBefore = ({ hasLeaked }: RetiredObject): boolean =>
    typeof deletionOfOld(kind, outputs.props, hasLeaked) !== "string";
  const isSuccessorInUse = isSignedInWith(kind, run, outputs.props);
  const waits = outputs.memory.object.retired.filter((retired) => typeof deletionOf(retired) !== "string");
  const uses = waits.length > 0 ? await usesOf(run.api, waits) : undefined;
  const decide = async (retired: RetiredObject): Promise<RetiredDecision> => {
    const { id, isOwn, replacedAt, expiresAt } = retired;
    if (otherOwner(run.memory.objects, urn, id) !== undefined || run.memory.objects.of(id).adoption)
      return { retired, decision: "released" };
    const deletion = deletionOf(retired);
    const isInUse = isOwn && !isSuccessorInUse;
    const verdict =
      typeof deletion !== "string" && uses
        ? retirement(deletion, { replacedAt, expiresAt }, uses(id), run.api.now())
        : undefined;
    const reader = readerName(run.memory.objects, id);
    const reasons = [
      isRetained && "retainOnDelete keeps it",
      isSameId(run.memory.of(urn)?.adoptedId, id) && "the resource takes it back (adopt)",
      reader !== undefined && `the program reads it with the get "${reader}"`,
      deletion === "never" && waitedBefore(retired) && "deleteOld now leaves it until it expires",
    ];
    const kept = reasons.find((each) => each !== false);
    const stays = deletion === "never" || isInUse || verdict?.isDue === false || kept !== undefined;
    // A row must not speak of an object that no longer exists.
    if ((verdict || isRetained) && (await isMissing(successor, outputs.props, id)))
      return { retired, decision: "missing", kept, isInUse };
    return { retired, decision: stays ? "keep" : "delete", verdict, kept, isInUse };
  };
  return Promise.all(outputs.memory.object.retired.map(decide));
}

/** True if the API answers 404 to the object. False also if it cannot be read. */
export async function isMissing(
  { kind, run, urn }: RunResource<ObjectRun>,
  props: Props,
  id: string,
): Promise<boolean> {
  const call = { purpose: operationName("read", kind, urn) };
  try {
    return (await undefinedIfNotFound(() => collectionAt(run.api, kind, props, id).get(id, call))) === undefined;
  } catch (error) {
    if (error instanceof CloudinfraError) return false;
    throw error;
  }
}

/**
 * For diff: decides about the retired objects, and claims them so that no other resource adopts them. Empty in a
 * refresh, which has no program. Rejects with RefusedChangeError if the API shows neither them nor the present object,
 * and nothing proves that it was deleted.
 */
export async function reviewRetired(resource: ComparedResource): Promise<readonly RetiredDecision[]> {
  const { kind, run, urn, request, outputs } = resource;
  const { objects } = run.memory;
  const facts = run.memory.of(urn);
  if (!facts) return [];
  for (const { id } of outputs.memory.object.retired) {
    const refusal = claimObject(resource, id, { isCertain: false, existedBefore: false });
    // The update may come to this resource first, and then delete the object before the other resource adopts it.
    if (refusal !== undefined && facts.isPreview && objects.of(id).owner?.plannedBy !== undefined)
      throw new RefusedObjectError(`${operationName("update", kind, urn)}: ${refusal}.`);
    objects.noteRetired(id);
  }
  if (outputs.memory.object.retired.length === 0) return [];
  const decisions = await decideRetired(resource);
  const missing = decisions.filter(({ decision }) => decision === "missing").map(({ retired: { id } }) => id);
  const isProven = run.memory.isMissing(urn, request.id); // by the audit log, or this run
  if (missing.length > 0 && !isProven && (await isMissing(resource, outputs.props, request.id)))
    throw new RefusedChangeError(
      `The API shows neither ${kind.noun} ${request.id} nor ${missing.join(" or ")}, which it has replaced: they may be in another account. ` +
        `Check the API key and the base URL. If they were deleted, run \`pulumi refresh\`.`,
    );
  await reportRetired(resource, decisions, facts.isPreview);
  return decisions;
}

/**
 * Says on the row which objects wait, for which clients and until when. In a preview it also says which objects the
 * update deletes.
 */
async function reportRetired(
  { kind, run, urn }: RunResource<ObjectRun>,
  decisions: readonly RetiredDecision[],
  isPreview: boolean,
): Promise<void> {
  for (const { retired, decision, verdict, kept } of decisions) {
    if (decision === "keep" && verdict?.isDue === false) {
      const until = `stays until no client uses it, at the latest until ${secondText(verdict.until)}`;
      await run.rows.line(urn, "info", `${subject(kind, retired)}, ${until}: ${verdict.reason}`);
    } else if (decision === "keep" && kept !== undefined)
      await run.rows.line(urn, "info", `${subject(kind, retired)}, stays: ${kept}`);
    if (decision === "missing")
      await run.rows.line(urn, "info", `${subject(kind, retired)}, counts as deleted: the API does not show it`);
    if (decision === "delete" && isPreview)
      await run.rows.line(urn, severityOf(verdict), `deletes ${subject(kind, retired)}${reasonText(verdict)}`);
  }
}

/** Decides again, and deletes the retired objects that need not stay. Resolves with the others, for the outputs. */
export async function deleteRetired(call: ResourceCall, outputs: ResourceState): Promise<readonly RetiredObject[]> {
  const { kind, run, urn } = call;
  const decisions = await decideRetired({ ...call, outputs });
  await reportRetired(call, decisions, false);
  for (const { retired, decision, verdict } of decisions) {
    if (decision === "released") {
      const isTaken = run.memory.objects.of(retired.id).adoption?.isDone !== false;
      const text = `${subject(kind, retired)}, stays: another resource ${isTaken ? "has adopted" : "is to adopt"} it`;
      await run.rows.line(urn, "info", text);
    }
    if (decision === "delete") await deleteOne(call, retired, verdict);
  }
  return decisions.filter(({ decision }) => decision === "keep").map(({ retired }) => retired);
}

/** Deletes one retired object, and says so on the row. */
export async function deleteOne(
  call: ResourceCall,
  retired: RetiredObject,
  verdict: Retirement | undefined,
): Promise<void> {
  const { kind, run, urn } = call;
  await deleteIfThere(call, retired.id);
  if (run.memory.missing.wasMissing(retired.id)) return;
  await run.rows.line(urn, severityOf(verdict), `deleted ${subject(kind, retired)}${reasonText(verdict)}`);
}

/** A retired object in words, for the beginning of a message. */
export function subject({ noun }: ResourceKind, { id }: RetiredObject): string {
  return `${noun} ${id}, which this one has replaced`;
}

function reasonText(verdict: Retirement | undefined): string {
  return verdict ? `: ${verdict.reason}` : "";
}

function severityOf(verdict: Retirement | undefined): "info" | "warning" {
  return verdict && verdict.clients.length > 0 ? "warning" : "info";
}

/**
 * For a message that advises to take a resource out of the state: what happens to the retired objects. Empty if there
 * are none.
 */
export function unmanagedAdvice(retired: readonly RetiredObject[]): string {
  const ids = retired.map(({ id }) => id).join(" and ");
  return ids && ` Nothing manages the replaced ${ids} then: delete each when no client uses it.`;
}
