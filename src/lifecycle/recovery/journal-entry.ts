import { createHash, randomBytes } from "node:crypto";
import type { JournalEntry, StackAddress } from "../../journal/journal";
import { thisProcess } from "../../journal/process-identity";
import { isUnderWay } from "../../journal/under-way";
import type { ResourceRequest } from "../resource-request";
import type { Props, ResourceKind } from "../kind";

/**
 * The number of updates that may pass without the id of a finished creation, as with `--target`, before a warning. Fewer if
 * its run was cancelled.
 */
const UPDATES_PASSED_OVER = 2;
const UPDATES_PASSED_OVER_CANCELLED = 1;

/** A creation that is about to be sent, or a take-over that is about to change its object. */
export interface NewCreation {
  readonly kind: ResourceKind;
  readonly request: ResourceRequest;
  /** For a take-over: the object, and what it was found as. */
  readonly found?: { readonly id: string; readonly foundAs: Props };
}

/** When a creation is sent, in milliseconds since the epoch, by the API's clock and by this machine's. */
export interface SentAt {
  readonly there: number;
  readonly here: number;
}

/** The entry of a new creation, with its own token. */
export function newEntry(
  { kind, request, found }: NewCreation,
  stack: StackAddress,
  { there, here }: SentAt,
): JournalEntry {
  const { urn, inputs, memory } = request;
  const token = randomBytes(16).toString("hex");
  return {
    version: 2,
    key: token,
    token,
    stack,
    urn,
    type: kind.type,
    noun: kind.noun,
    name: String(inputs[kind.discovery?.by[0] ?? "name"]),
    generation: memory.generation,
    place: placeOf(kind, inputs),
    fingerprint: fingerprintOf(kind, inputs),
    sentAt: new Date(there).toISOString(),
    sentHereAt: new Date(here).toISOString(),
    sender: thisProcess(),
    ...found,
  };
}

/** The inputs for an object's path. */
function placeOf(kind: ResourceKind, inputs: Props): Props {
  return Object.fromEntries(kind.place.map((field) => [field, inputs[field]]));
}

/** Equal for equal inputs of a kind. */
export function fingerprintOf(kind: ResourceKind, inputs: Props): string {
  const values = Object.keys(kind.policies).map((field) => inputs[field] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}

/** The entry of a creation whose answer the engine received before the process ended. */
export function handedOver(entry: JournalEntry, isCancelled: boolean): JournalEntry {
  return { ...entry, isHandedOver: true, isCancelled: isCancelled ? true : undefined };
}

/** Whether updates without its id are counted. */
export function isWatched({ isHandedOver, isTold }: JournalEntry): boolean {
  return isHandedOver === true && !isTold;
}

/** Creations that the state may not have. Those of another active process do not count. */
export function isWorthTelling(entry: JournalEntry, now: number): boolean {
  const { isTold, isHandedOver, isCancelled, missed = 0 } = entry;
  if (isTold || isUnderWay(entry, now)) return false;
  return isHandedOver !== true || missed >= (isCancelled ? UPDATES_PASSED_OVER_CANCELLED : UPDATES_PASSED_OVER);
}
