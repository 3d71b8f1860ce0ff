import { collectionAt } from "../kind/collection-at";
import type { Mutation } from "../../api/client";
import { AbortedError, NotFoundError } from "../../api/errors";
import { sanitized } from "../../api/errors/error-response";
import { isBeingDeleted, isTransitional } from "../../api/schema";
import { hasParts } from "../../definition/parts";
import { LATE_ANSWER_PAUSES, pollUntil } from "../../time/clock";
import { BrokenObjectError, CancelledError, ReadinessTimeoutError } from "../errors";
import { type Props, type ResourceKind, operationName } from "../kind/kind";
import type { ObjectMemory } from "../resource-request";
import { callOf, getObject, type ResourceCall } from "./resource-call";

/**
 * Waits for the operation, and shows its progress on the resource's row. Resolves with true if it succeeded, and with
 * false if the API no longer knows it: then only the object's status can show the result.
 */
export async function awaitOperation(
  call: ResourceCall,
  mutation: Mutation<unknown>,
  onLastPoll?: () => void,
): Promise<boolean> {
  const { kind, run, urn, verb, endsAt } = call;
  if (mutation.kind !== "operation") return true;
  const startedAt = run.clock.now();
  const { cancelled } = run;
  const showProgress = progressRow(call);
  try {
    await run.api.operations.wait(mutation.operation, {
      purpose: operationName(verb, kind, urn),
      timeoutMs: Math.max(0, endsAt - startedAt),
      sentAt: mutation.sentAt,
      onLastPoll,
      ...(cancelled && { signal: cancelled }),
      onProgress: ({ operation, waitedMs }) => showProgress(`waiting for operation: ${operation.status}`, waitedMs),
    });
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    if (!(error instanceof AbortedError)) throw error;
    throw cancelledWaitError(call, `operation ${mutation.operation.id}`, run.clock.now() - startedAt);
  }
  showProgress("operation done after", run.clock.now() - startedAt);
  return true;
}

/** Shows the progress after the first second, because most operations end earlier. */
function progressRow({ run, urn }: ResourceCall): (text: string, waitedMs: number) => void {
  return (text, waitedMs) => {
    if (waitedMs >= 1_000) run.rows.status(urn, `${text} ${seconds(waitedMs)}`);
  };
}

/**
 * Waits until the object's status is stable, which takes one GET if it is ready. Rejects with ReadinessTimeoutError
 * after the time limit, and with BrokenObjectError if the API shows the object as broken.
 */
export async function awaitReady(call: ResourceCall, id: string): Promise<Props> {
  return requireUnbroken(call, id, await awaitStableObject(call, id));
}

/**
 * As `awaitReady`, for an object whose creation the API has accepted, and which may not be visible yet. Waits for the
 * operation first. Objects that were made at the same time share one list request.
 */
export async function awaitMade(call: ResourceCall, id: string, mutation: Mutation<Props>): Promise<Props> {
  const collection = collectionAt(call.run.api, call.kind, call.inputs, id);
  // The list is read in parallel with the expected last poll, so it takes no extra time. If the operation goes on, it
  // costs one request.
  let listed: Promise<Props | undefined> | undefined;
  await awaitOperation(call, mutation, () => {
    listed ??= collection.newObjects.readIfReady(id).catch(() => undefined);
  });
  const shown = mutation.kind === "resource" ? mutation.resource : await listed;
  const read = (): Promise<Props> => readAccepted(call, id, () => collection.get(id, callOf(call)));
  const first = (): Promise<Props> => readAccepted(call, id, () => collection.newObjects.read(id, callOf(call)));
  return requireUnbroken(call, id, await awaitStable(call, read, shown ?? (await orCancelled(call, first))));
}

function requireUnbroken({ kind, urn, verb }: ResourceCall, id: string, wire: Props): Props {
  const { status } = wire;
  if (status !== "error" && status !== "deleted") return wire;
  // Only a refresh shows an update that the object is deleted.
  const again = verb === "update" ? "Run `pulumi refresh`, and then again" : "Run again";
  const advice =
    status === "deleted"
      ? `: something else has deleted it. ${again}: the run creates it again.`
      : `. If it was never ready, run again: the next run replaces it. Otherwise repair it at the API, or run ` +
        `\`pulumi up --target-replace '${urn}'\`.`;
  throw new BrokenObjectError(
    `${operationName(verb, kind, urn)}: the API shows ${kind.noun} ${id} with the status "${status}"${advice}`,
  );
}

/**
 * Reads an object that other runs or people may be changing. It waits for the end of a change, because the API shows
 * the old values until then. An object that is being deleted may become ready again. Rejects as `read` does, and with
 * ReadinessTimeoutError after the time limit.
 */
export async function readWhenStable(call: ResourceCall, id: string, read: () => Promise<Props>): Promise<Props> {
  const shown = await read();
  if (shown["status"] !== "updating" && shown["status"] !== "deleting") return shown;
  await awaitStableObject(call, id, shown);
  return read();
}

function awaitStableObject(call: ResourceCall, id: string, shown?: Props): Promise<Props> {
  return awaitStable(call, () => pollUntilVisible(call, () => getObject(call, id)), shown);
}

/** True if the object is not ready, or lacks a sub-resource. The creation of such an object has not ended. */
export function isUnfinished(kind: Pick<ResourceKind, "subResources">, shown: Props): boolean {
  return lacksSubResource(kind, shown) || isTransitional(shown) || isBeingDeleted(shown) || shown["status"] === "error";
}

export function lacksSubResource({ subResources }: Pick<ResourceKind, "subResources">, shown: Props): boolean {
  return subResources.some(({ name }) => shown[name] === undefined);
}

/**
 * True if no run has seen that the creation of an object is complete. Its state may have program values that the object
 * does not have.
 */
export function isIncomplete(kind: ResourceKind, object: ObjectMemory): boolean {
  return object.neverReady || lacksOwnParts(kind, object);
}

/** True if no run has noted which parts are the object's own. */
export function lacksOwnParts(kind: ResourceKind, { ownParts }: ObjectMemory): boolean {
  return ownParts === undefined && hasParts(kind);
}

/**
 * Reads an object until its status is stable, beginning with `shown` if it is given. Rejects as `read` does, and with
 * ReadinessTimeoutError after the time limit.
 */
export async function awaitStable(call: ResourceCall, read: () => Promise<Props>, shown?: Props): Promise<Props> {
  const { kind, run, urn, verb, endsAt } = call;
  const startedAt = run.clock.now();
  const waitedMs = (): number => run.clock.now() - startedAt;
  const statusOf = ({ status }: Props): string => sanitized(String(status));
  const showProgress = progressRow(call);
  let given = shown;
  const look = async (): Promise<Props> => {
    const object = given ?? (await read());
    given = undefined;
    return object;
  };
  const object = await orCancelled(call, () =>
    pollUntil(
      run.clock,
      { ...STATUS_PAUSES, endsAt },
      look,
      (each) => !isTransitional(each),
      (each) => showProgress(`waiting for ${kind.noun}: ${statusOf(each)}`, waitedMs()),
    ),
  );
  if (!isTransitional(object)) return object;
  throw new ReadinessTimeoutError(
    `${operationName(verb, kind, urn)}: the API still showed the status "${statusOf(object)}" after ${Math.round(waitedMs() / 1000)} s. It ` +
      `may change later: run again to go on waiting.`,
    run.settings.provider,
  );
}

/** If a person cancels the wait, the error says that the API continues. */
export async function orCancelled<T>(call: ResourceCall, wait: () => Promise<T>): Promise<T> {
  const startedAt = call.run.clock.now();
  try {
    return await wait();
  } catch (error) {
    throw error instanceof CancelledError
      ? cancelledWaitError(call, `the ${call.kind.noun}`, call.run.clock.now() - startedAt)
      : error;
  }
}

/** The error of a cancelled wait. `subject`: the object or operation that the API continues with. */
function cancelledWaitError({ kind, urn, verb }: ResourceCall, subject: string, waitedMs: number): CancelledError {
  const next =
    verb === "update"
      ? "The next run sends the same change again, unless the API has ended it and you run `pulumi refresh` first"
      : "Run again: the next run continues from there";
  return new CancelledError(
    `${operationName(verb, kind, urn)}: the run was cancelled after ${seconds(waitedMs)} of waiting. The API has accepted it and goes on ` +
      `with ${subject}. ${next}.`,
  );
}

export function seconds(ms: number): string {
  return `${Math.round(ms / 1000)}s`;
}

const STATUS_PAUSES = { firstPauseMs: 250, longestPauseMs: 5_000, factor: 1.5 };
/**
 * The longest time that a new object may be hidden after its creation. Requests that may fail wait only for
 * `USUALLY_HIDDEN_MS`.
 */
export const LONGEST_HIDDEN_MS = 60_000;

/**
 * Sends a request for an object. If the object is new and the API answers 404, it sends the request again for some
 * time.
 */
export async function pollUntilVisible<T>(
  { kind, run, urn, hiddenMs }: ResourceCall,
  ask: () => Promise<T>,
): Promise<T> {
  const outcome = await pollUntil(
    run.clock,
    { ...LATE_ANSWER_PAUSES, leftMs: hiddenMs },
    () =>
      ask().then(
        (response) => ({ response }),
        (error: unknown) => ({ error }),
      ),
    (each) => !("error" in each && each.error instanceof NotFoundError),
    () => run.rows.status(urn, `waiting for the API to show this new ${kind.noun}`),
  );
  if ("error" in outcome) throw outcome.error;
  return outcome.response;
}

/**
 * Reads an object whose creation the API has accepted. Rejects with ReadinessTimeoutError if it stays hidden until the
 * time limit.
 */
async function readAccepted(call: ResourceCall, id: string, read: () => Promise<Props>): Promise<Props> {
  const { kind, urn, verb, run } = call;
  const startedAt = run.clock.now();
  try {
    return await pollUntilVisible(call, read);
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    const waitedSeconds = Math.round((run.clock.now() - startedAt) / 1000);
    throw new ReadinessTimeoutError(
      `${operationName(verb, kind, urn)}: the API accepted it as ${id}, and still answered 404 to it after ${waitedSeconds} s. It may ` +
        `show it later: run again.`,
      run.settings.provider,
      { cause: error },
    );
  }
}
