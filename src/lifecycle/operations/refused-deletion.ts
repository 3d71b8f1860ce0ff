import { ForbiddenError, NotFoundError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import { isSameId } from "../../definition/same-id";
import { kindsInside } from "../../definition/definition";
import { namedParts, partFields } from "../../definition/parts";
import type { Part } from "../../definition/types";
import { fromWire } from "../../definition/wire";
import { urnParts } from "../../engine/urn";
import { unmanagedAdvice } from "../credential/retired-objects";
import { ObjectInUseError } from "../errors";
import { collectionAt, partCollection } from "../kind/collection-at";
import { operationName, type Props } from "../kind/kind";
import { otherOwner, readerName } from "../memory/known-objects";
import { callOf, getObject, type ResourceCall } from "../objects/resource-call";
import { pollUntilShown, CHANGE_SHOWN_WITHIN_MS } from "../objects/send-and-verify";
import { inState } from "../resource-request";

/**
 * Checks the object as the API shows it now, because the state may be out of date. Rejects with ObjectInUseError, or as
 * a GET does.
 */
export async function assertDeletable(call: ResourceCall, id: string): Promise<void> {
  const { kind } = call;
  const needed = neededParts(call);
  if (kind.refuseDeletion === undefined && needed.length === 0) return;
  const look = async (): Promise<{ wire: Props | undefined; refused: string | undefined }> => {
    const wire = await getObject(call, id).catch((error: unknown) => {
      if (needed.length > 0 && error instanceof NotFoundError) return undefined; // it may be hidden
      throw error;
    });
    return { wire, refused: wire && kind.refuseDeletion?.(fromWire(kind, wire)) };
  };
  // It may still count what this run has just deleted.
  const isAllowed = (shown: { refused: string | undefined }): boolean => shown.refused === undefined;
  const { wire, refused } = await pollUntilShown(call, look, isAllowed, CHANGE_SHOWN_WITHIN_MS);
  if (refused !== undefined) throw inUseError(call, id, refused);
  for (const each of needed)
    if (await isAttached(call, id, each, wire))
      throw inUseError(
        call,
        id,
        `the API may delete the attached ${each.part.of.noun} ${each.id} too, which ${each.user}`,
        { advice: `Detach that ${each.part.of.noun}, or remove that resource` },
      );
}

interface NeededPart {
  readonly part: Part;
  readonly id: string;
  /** The resource that needs it, as a predicate: `belongs to the resource "data"`. */
  readonly user: string;
}

/** The objects that another resource has adopted or imported, or only reads, and that may be parts of the object. */
function neededParts(call: ResourceCall): NeededPart[] {
  const parts = new Map(partFields(call.kind).map(({ part }) => [part.of.type, part]));
  return call.run.memory.objects.existing().flatMap(({ id, urn }) => {
    const part = parts.get(urnParts(urn).type);
    const user = otherUserOf(call, id);
    return part && user !== undefined ? [{ part, id, user }] : [];
  });
}

/**
 * True if a part is attached to the object that is to be deleted. The object or the part says so: one answer is enough,
 * because the other may be late. If the key may not read the part, the part counts as attached if it is one of the
 * object's own. A part that the API does not show does not count as attached: if it is one of the object's own, a row
 * names it.
 */
async function isAttached(
  call: ResourceCall,
  id: string,
  { part, id: partId, user }: NeededPart,
  wire: Props | undefined,
): Promise<boolean> {
  const { kind, run, urn, inputs, request } = call;
  if (wire && namedParts(kind, wire).some((listed) => isSameId(listed.id, partId))) return true;
  try {
    const shown = await partCollection(run.api, { part, id }, inputs).get(partId, callOf(call));
    return isSameId(String(shown[part.attachedAt]), id);
  } catch (error) {
    const isOwn = inState(request).memory.object.ownParts?.some((own) => isSameId(own, partId)) === true;
    if (error instanceof ForbiddenError) return isOwn;
    if (!(error instanceof NotFoundError)) throw error;
    const text = `the API shows no ${part.of.noun} ${partId}, which ${user}. If it exists, the API may delete it with this ${kind.noun}: run \`pulumi refresh\` afterwards`;
    if (isOwn) await run.rows.line(urn, "warning", text);
    return false;
  }
}

function otherUserOf(call: ResourceCall, partId: string): string | undefined {
  const owner = otherOwner(call.run.memory.objects, call.urn, partId);
  if (owner !== undefined) return `belongs to the resource "${owner}"`;
  const reader = readerName(call.run.memory.objects, partId);
  return reader && `the program reads with the get "${reader}"`;
}

/** A VPC can have hundreds of rules. */
const MAX_NAMED = 10;

/** The contents because of which the API does not delete the object. */
export async function contentsOf(call: ResourceCall, id: string): Promise<string | undefined> {
  const { kind, run, inputs } = call;
  for (const [inside, input] of kindsInside(kind, kind.siblings)) {
    const ids: string[] = [];
    let looks = 0;
    const collection = collectionAt(run.api, inside, { ...inputs, [input]: id });
    for await (const object of collection.list(callOf(call))) {
      // An outdated list may still show deleted objects.
      const shown = await undefinedIfNotFound(() => collection.get(object.id, callOf(call))).catch(() => object);
      if (shown !== undefined) ids.push(object.id);
      if (++looks === MAX_NAMED) break;
    }
    if (ids.length > 0) return `it still has the ${ids.length === 1 ? inside.noun : inside.nouns} ${ids.join(", ")}`;
  }
  return undefined;
}

interface InUseOptions {
  /** What to do, as the beginning of a sentence. */
  readonly advice?: string;
  readonly cause?: unknown;
}

/** `reason`: why the object was not deleted, as a clause. */
export function inUseError(
  call: ResourceCall,
  id: string,
  reason: string,
  { advice = "Delete or move what keeps it", cause }: InUseOptions = {},
): ObjectInUseError {
  const { kind, verb, urn, request } = call;
  return new ObjectInUseError(
    `${operationName(verb, kind, urn)}: ${kind.noun} ${id} was not deleted, because ${reason}. ${advice}, then run ` +
      `again. To keep the ${kind.noun} and take it out of the stack, run \`pulumi state delete\` with the URN beside ${id} in \`pulumi stack --show-ids --show-urns\`; ` +
      `if Pulumi asks which one, choose ${id}.` +
      unmanagedAdvice(request.memory.object.retired),
    { cause },
  );
}
