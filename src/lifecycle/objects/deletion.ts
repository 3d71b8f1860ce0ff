import { timeOf } from "../../time/utc";
import { idKey, isSameId } from "../../definition/same-id";
import { collectionAt } from "../kind/collection-at";
import { NotFoundError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import { urnParts } from "../../engine/urn";
import { IncompleteChangeError, NotAppliedError } from "../errors";
import { type Props, operationName } from "../kind/kind";
import type { MissingObject } from "../memory/missing-objects";
import { awaitStable, pollUntilVisible, LONGEST_HIDDEN_MS } from "./readiness";
import { callOf, getObject, type ResourceCall } from "./resource-call";
import { sendAndVerify } from "./send-and-verify";

/**
 * Deletes an object, and waits until the API answers 404 to it. Rejects with NotFoundError if the object does not exist
 * from the start, and with the reason if it still exists at the end.
 */
async function deleteObject(call: ResourceCall, id: string): Promise<void> {
  const { kind, run, inputs } = call;
  const collection = collectionAt(run.api, kind, inputs, id);
  const get = (mayBeMissing: boolean): Promise<Props> => collection.get(id, { ...callOf(call), mayBeMissing });
  const last = { isShown: false };
  let isGone: Promise<boolean> | undefined;
  try {
    await sendAndVerify(call, {
      send: () => collection.delete(id, callOf(call)),
      // This GET runs in parallel with the expected last poll, so it takes no extra time. If the operation goes on, it
      // costs one request.
      onLastPoll: () => {
        isGone ??= get(true).then(
          () => false,
          (error: unknown) => error instanceof NotFoundError,
        );
      },
      look: async ({ isConfirmed, notFound }) => {
        if (notFound) throw notFound;
        if (isConfirmed && (await isGone) === true) return true;
        isGone = undefined;
        // Without a success, a 404 may also mean that the API does not show a new object yet.
        const look = isConfirmed ? () => get(true) : () => pollUntilVisible(call, () => get(false));
        const shown = await undefinedIfNotFound(() => awaitStable(call, look));
        last.isShown = shown !== undefined;
        return isDeleted(shown);
      },
      subject: `the deletion of ${id}`,
    });
  } catch (error) {
    if (!(error instanceof IncompleteChangeError)) throw error;
    if (!last.isShown) await warnOfDeletion(call, id);
    throw error.cause;
  }
}

/** Called if a deletion failed and nobody could see whether it had its effect. */
function warnOfDeletion({ kind, run, urn }: ResourceCall, id: string): Promise<void> {
  const text = `the API may nevertheless have deleted ${kind.noun} ${id}. Run \`pulumi refresh\` before you declare it again`;
  return run.rows.line(urn, "warning", text);
}

/**
 * As `deleteObject`, for an object that this run has just made: a 404 means that it is not visible yet. Rejects with
 * NotFoundError if the API never shows it.
 */
export async function deleteNew(call: ResourceCall, id: string): Promise<void> {
  const visibly = { ...call, isCleanUp: true, hiddenMs: (waitedMs: number) => LONGEST_HIDDEN_MS - waitedMs };
  await pollUntilVisible(visibly, () => getObject(call, id));
  await deleteObject(visibly, id).catch(async (error: unknown) => {
    if (!(error instanceof NotFoundError)) throw error;
    const get = (): Promise<Props> => getObject(call, id);
    // The API has shown the object, and the only delivery was answered with 404. So the object may be invisible for a
    // moment.
    const look = error.effect === "none" ? () => pollUntilVisible(visibly, get) : get;
    if (!isDeleted(await undefinedIfNotFound(look))) throw stillShown(call, id, error);
  });
}

/**
 * As `deleteObject`, for an object that may no longer exist, or may not be visible yet. After a 404 to the deletion, a
 * GET of the object decides. `guard` runs before each attempt.
 */
export async function deleteIfThere(
  call: ResourceCall,
  id: string,
  guard: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { objects } = call.run.memory;
  if (objects.here(id).isDeleted) return;
  const attempts = { isSent: false, mayHaveDeleted: false };
  try {
    await pollUntilVisible(call, async () => {
      await guard();
      attempts.isSent = true;
      await deleteObject(call, id).catch((error: unknown) => {
        // This 404 answers a retry: the first delivery, whose response was lost, may have deleted the object.
        attempts.mayHaveDeleted ||= error instanceof NotFoundError && error.effect !== "none";
        throw error;
      });
    });
    objects.noteHere(id, { isDeleted: true });
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const shown = await undefinedIfNotFound(() => getObject(call, id)).catch(async (unread: unknown) => {
      if (attempts.isSent) await warnOfDeletion(call, id);
      throw unread;
    });
    if (isDeleted(shown)) {
      if (attempts.mayHaveDeleted) objects.noteHere(id, { isDeleted: true });
      else await reportDeleted(call, id);
      return;
    }
    throw stillShown(call, id, error);
  }
}

function stillShown({ kind, verb, urn }: ResourceCall, id: string, cause: NotFoundError): NotAppliedError {
  return new NotAppliedError(
    `${operationName(verb, kind, urn)}: the API answered 404 to the deletion of ${id}, and still shows it. Run again. If that does not help, ` +
      `look at the ${kind.noun} in the API.`,
    { cause },
  );
}

/**
 * Says that there was nothing to delete. The run counts these, because the key of a wrong account finds nothing either.
 */
export async function reportDeleted(call: ResourceCall, id: string): Promise<void> {
  await call.run.memory.missing.noteMissingOnDelete(id, missingObject(call, id));
  await rowOfMissing(call, id);
}

/** Says that a refresh did not find an object, as the reads of other objects do. */
export async function reportMissing(call: ResourceCall, id: string): Promise<void> {
  await call.run.memory.missing.noteMissingOnRead(idKey(id), missingObject(call, id));
  await rowOfMissing(call, id);
}

/**
 * Describes a missing object. Objects that something else makes are in no log. An old key is in the account of its
 * successor, which is the object of the call.
 */
export function missingObject({ kind, run, urn, inputs, request }: ResourceCall, id: string): MissingObject {
  const isOld = !isSameId(id, request.id);
  const createdAt = timeOf(inputs["createdAt"]);
  return {
    name: `${kind.noun} ${isOld ? id : `"${urnParts(urn).name}"`}`,
    isOfAccount: async () => isOld || kind.discovery !== undefined || (await run.audit.showsObject(id, createdAt)),
  };
}

/** Says on the row that the API does not show an object, which nothing will name again. */
function rowOfMissing({ kind, run, urn }: ResourceCall, id: string): Promise<void> {
  return run.rows.line(urn, "info", `the API shows no ${kind.noun} ${id}: it counts as deleted`);
}

/** True if the API shows no object, or shows it as deleted. */
export function isDeleted(shown: Props | undefined): true | undefined {
  return shown === undefined || shown["status"] === "deleted" ? true : undefined;
}
