import { partCollection } from "../kind/collection-at";
import { CloudinfraError, NotFoundError } from "../../api/errors";
import { isSameId } from "../../definition/same-id";
import { partsIn, type NamedPart } from "../../definition/parts";
import type { Props } from "../kind/kind";
import { otherOwner } from "../memory/known-objects";
import { isBeingDeleted } from "../../api/schema";
import { messageOf } from "../errors";
import { callOf, type ResourceCall } from "../objects/resource-call";
import type { RecoveryCall } from "../recovery/recovery-call";
import { inState } from "../resource-request";

/**
 * Warns of own parts that still exist after their object was deleted, or after they were detached from it, because no
 * state has them. `reason` continues the text `volume "data" (<id>)`.
 */
export async function warnOfRemainingParts(
  call: ResourceCall,
  parts: readonly NamedPart[],
  reason: string,
): Promise<void> {
  const { run, urn, request } = call;
  const own = inState(request).memory.object.ownParts;
  const free = parts.filter(
    ({ id }) =>
      own?.some((each) => isSameId(each, id)) !== false && otherOwner(run.memory.objects, urn, id) === undefined,
  );
  const texts = await Promise.all(free.map((part) => textOn(call, part, reason)));
  for (const text of texts) if (text !== undefined) await run.rows.line(urn, "warning", text);
}

/** Warns of own parts that another resource has adopted while no run had seen the object complete. */
export async function warnOfAdoptedParts({ kind, run, urn }: RecoveryCall, ids: readonly string[] = []): Promise<void> {
  for (const id of ids.filter((each) => run.journal.adoptions.has(each))) {
    const text = `a resource, perhaps of another stack, has adopted its part ${id}: the API deletes it with the ${kind.noun}. Detach it first`;
    await run.rows.line(urn, "warning", text);
  }
}

/** As `warnOfRemainingParts`, for parts that leave the state because the object no longer shows them. */
export async function warnOfForgottenParts(call: ResourceCall, before: Props, after: Props): Promise<void> {
  const { kind } = call;
  const kept = partsIn(kind, after);
  const forgotten = partsIn(kind, before).filter((part) => !kept.some(({ id }) => isSameId(id, part.id)));
  await warnOfRemainingParts(call, forgotten, `is no longer a part of the ${kind.noun}, and the state forgets it`);
}

async function textOn(call: ResourceCall, named: NamedPart, reason: string): Promise<string | undefined> {
  const { run, inputs } = call;
  const { id, part } = named;
  const { noun, type } = part.of;
  try {
    const shown = await partCollection(run.api, named, inputs).get(named.id, callOf(call));
    // The object may list it late.
    const isStillPart = call.verb !== "delete" && isSameId(String(shown[part.attachedAt]), call.request.id);
    if (isStillPart || isBeingDeleted(shown)) return undefined;
    return (
      `${noun} ${JSON.stringify(shown["name"])} (${id}) ${reason}. If nothing else ` +
      `manages it, delete it in the API, or take it over with a ${type} and adopt: "${id}"`
    );
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    if (!(error instanceof CloudinfraError)) throw error;
    return `${noun} ${id} may stay: ${messageOf(error)}`;
  }
}
