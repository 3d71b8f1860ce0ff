import { DAY_MS } from "../../time/utc";
import { CLOCK_TOLERANCE_MS } from "../../time/clock";
import { createHash, randomBytes } from "node:crypto";
import { isAboutOthers, isOpen, nameInEntry, type JournalEntry } from "../../journal/entry";
import { thisProcess } from "../../process/process-identity";
import { isMasked } from "../../text/redaction";
import type { ResourceRequest } from "../resource-request";
import type { Props, ResourceKind } from "../kind/kind";

/** A creation or a take-over that is about to begin. */
export interface NewCreation {
  readonly kind: ResourceKind;
  readonly request: ResourceRequest;
  /** For a take-over: the id of the object, and its former values. */
  readonly found?: { readonly id: string; readonly foundAs: Props };
}

interface RequestContext extends Pick<JournalEntry, "stack" | "keyHash"> {
  /** In epoch milliseconds, by the API's clock and by this machine's. */
  readonly times: { readonly sentAt: number; readonly sentHereAt: number };
}

/** Makes the entry of a new creation, with a new token. */
export function newEntry({ kind, request, found }: NewCreation, { times, ...sent }: RequestContext): JournalEntry {
  const { urn, inputs } = request;
  const token = randomBytes(16).toString("hex");
  const name = String(inputs[kind.discovery?.by[0] ?? "name"]);
  return {
    version: 1,
    key: token,
    token,
    urn,
    type: kind.type,
    noun: kind.noun,
    ...nameInEntry(token, name, isMasked(urn, name)),
    pathInputs: pathInputsOf(kind, request),
    fingerprint: fingerprintOf(kind, inputs),
    ...sent,
    sentAt: new Date(times.sentAt).toISOString(),
    sentHereAt: new Date(times.sentHereAt).toISOString(),
    sender: thisProcess(),
    ...found,
  };
}

/** If the clocks differ by more than this, the API's clock counts. */
const TRUSTED_SKEW_MS = DAY_MS;

/**
 * The earliest possible time of the request, by the API's clock in epoch milliseconds. The recorded time may be wrong,
 * and even in the future. An earlier time is safe, because it only finds more log entries.
 */
export function sentSince({ sentAt, sentHereAt }: JournalEntry, apiNow: number): number {
  const sent = Date.parse(sentAt);
  const earliest = Math.min(sent, apiNow) - TRUSTED_SKEW_MS;
  const known = Math.min(sent, Date.parse(sentHereAt));
  return known > apiNow ? earliest : Math.max(known, earliest);
}

/** Makes an entry for a second object of the same request, which the network has delivered several times. */
export function twinOf(entry: JournalEntry, id: string): JournalEntry {
  return { ...withId(entry, id), key: `${entry.token}-${id}` };
}

/** The entry for an object of the request: the entry itself, unless it is about other attempts. */
export function entryFor(entry: JournalEntry, id: string | undefined): JournalEntry {
  return isAboutOthers(entry) && id !== undefined ? twinOf(entry, id) : { ...entry, id };
}

/** True if no run takes the object over: a state may have it, or an earlier run has named it. */
export function isOnlyNamed(entry: JournalEntry): entry is JournalEntry & { readonly id: string } {
  return entry.id !== undefined && !isOpen(entry);
}

/** True if an object that was made at this time (ISO 8601) is not older than the entry. */
export function isNotOlder({ sentAt }: JournalEntry, madeAt: unknown): boolean {
  return Date.parse(String(madeAt)) >= Date.parse(sentAt) - CLOCK_TOLERANCE_MS;
}

/**
 * The entry for the other attempts of a creation that was sent again. No run waits for it, and it blocks no creation.
 */
export function otherAttemptsOf(entry: JournalEntry): JournalEntry {
  const { madeIds = [] } = entry;
  return { ...withId(entry, undefined), key: `${entry.token}-others`, madeIds, isSuperseded: true };
}

/** An entry of the same request for another object, or for none that is known. */
function withId(entry: JournalEntry, id: string | undefined): JournalEntry {
  return { ...entry, id, isHandedOver: undefined, wasSentAgain: undefined, madeIds: undefined };
}

/**
 * The inputs for the object's path. They are ids and therefore not secret. Inputs that are secret all the same are left
 * out.
 */
function pathInputsOf(kind: ResourceKind, { urn, inputs }: ResourceRequest): Props {
  const fields = kind.pathFields.filter((field) => !isMasked(urn, String(inputs[field])));
  return Object.fromEntries(fields.map((field) => [field, inputs[field]]));
}

/** A hash of the inputs, to compare them later. */
export function fingerprintOf(kind: ResourceKind, inputs: Props): string {
  const values = Object.keys(kind.fields).map((field) => inputs[field] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}
