import { createHash, randomBytes } from "node:crypto";
import type { JournalEntry, StackAddress } from "../../journal/journal";
import { runsElsewhere, thisProcess } from "../../journal/process-identity";
import type { ResourceCall } from "../resource-call";
import type { Props, ResourceKind } from "../kind";

/** So many updates may pass over what a run has handed over, as with `--target`, before it is told; fewer if that run was cancelled. */
const UPDATES_PASSED_OVER = 2;
const UPDATES_PASSED_OVER_CANCELLED = 1;

/** When a creation is sent, in milliseconds since the epoch: by the API's clock, and by this machine's. */
export interface SentAt {
  readonly there: number;
  readonly here: number;
}

/** The entry of a creation that is about to be sent, with a token of its own. */
export function newEntry({ kind, request }: ResourceCall, stack: StackAddress, { there, here }: SentAt): JournalEntry {
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
    name: String(inputs["name"]),
    generation: memory.generation,
    place: placeOf(kind, inputs),
    fingerprint: fingerprintOf(kind, inputs),
    sentAt: new Date(there).toISOString(),
    sentHereAt: new Date(here).toISOString(),
    sender: thisProcess(),
  };
}

/** The inputs that say where an object is. */
function placeOf(kind: ResourceKind, inputs: Props): Props {
  return Object.fromEntries(kind.place.map((field) => [field, inputs[field]]));
}

/** Equal where the inputs of a kind are equal. */
export function fingerprintOf(kind: ResourceKind, inputs: Props): string {
  const values = Object.keys(kind.policies).map((field) => inputs[field] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}

/** The entry of what the engine was given before the process ended. */
export function handedOver(entry: JournalEntry, isCancelled: boolean): JournalEntry {
  return { ...entry, isHandedOver: true, isCancelled: isCancelled ? true : undefined };
}

/** Whether updates are counted that the engine does not present its id in. */
export function isWatched({ isHandedOver, isTold }: JournalEntry): boolean {
  return isHandedOver === true && !isTold;
}

/** What the state may well not know. Another process's creations are that one's. */
export function isWorthTelling({ isTold, isHandedOver, isCancelled, missed = 0, sender }: JournalEntry): boolean {
  if (isTold || runsElsewhere(sender)) return false;
  return isHandedOver !== true || missed >= (isCancelled ? UPDATES_PASSED_OVER_CANCELLED : UPDATES_PASSED_OVER);
}
