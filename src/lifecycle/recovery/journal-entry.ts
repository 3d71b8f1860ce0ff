import { createHash, randomBytes } from "node:crypto";
import { isSameId } from "../../api/same-id";
import { nameInEntry, type JournalEntry, type StackAddress } from "../../journal/entry";
import { thisProcess } from "../../journal/process-identity";
import { isUnshown } from "../../text/shown-text";
import type { ResourceRequest } from "../resource-request";
import type { Props, ResourceKind } from "../kind/kind";

/** A creation that is about to be sent, or a take-over that is about to change its object. */
export interface NewCreation {
  readonly kind: ResourceKind;
  readonly request: ResourceRequest;
  /** For a take-over: the object, and what it was found as. */
  readonly found?: { readonly id: string; readonly foundAs: Props };
}

/** When a creation is sent, in milliseconds since the epoch, by the API's clock and by this machine's; and with which key. */
export interface SentAt {
  readonly there: number;
  readonly here: number;
  readonly keyHash: string;
}

/** The entry of a new creation, with its own token. */
export function newEntry(
  { kind, request, found }: NewCreation,
  stack: StackAddress,
  { there, here, keyHash }: SentAt,
): JournalEntry {
  const { urn, inputs } = request;
  const token = randomBytes(16).toString("hex");
  const name = String(inputs[kind.discovery?.by[0] ?? "name"]);
  return {
    version: 1,
    key: token,
    token,
    stack,
    urn,
    type: kind.type,
    noun: kind.noun,
    ...nameInEntry(token, name, isUnshown(urn, name)),
    pathInputs: pathInputsOf(kind, request),
    fingerprint: fingerprintOf(kind, inputs),
    sentAt: new Date(there).toISOString(),
    sentHereAt: new Date(here).toISOString(),
    keyHash,
    sender: thisProcess(),
    ...found,
  };
}

/** A service whose clock differs by more from this machine's is believed. */
const CLOCK_SKEW_MS = 86_400_000;

/**
 * When the request was sent at the earliest, by the API's clock in epoch milliseconds. Its run may have heard a wrong time, even one that is
 * still to come: an earlier one only finds more.
 */
export function sentSince({ sentAt, sentHereAt }: JournalEntry, serverNow: number): number {
  const sent = Date.parse(sentAt);
  const earliest = Math.min(sent, serverNow) - CLOCK_SKEW_MS;
  const known = Math.min(sent, Date.parse(sentHereAt));
  return known > serverNow ? earliest : Math.max(known, earliest);
}

/** The entry of another object that the same request made, because the network delivered it several times. */
export function twinOf(entry: JournalEntry, id: string): JournalEntry {
  return { ...entry, key: `${entry.token}-${id}`, id, isHandedOver: undefined };
}

/** Whether a resource has adopted the object while no log showed whether this creation made it. */
export function isAdopted({ adoptedIds = [] }: JournalEntry, id: string): boolean {
  return adoptedIds.some((adopted) => isSameId(adopted, id));
}

/** The entry of a creation's refused attempts: each refusal may have been the answer to a second delivery. */
export function refusedAttemptsOf(entry: JournalEntry, lastMadeId: string): JournalEntry {
  return { ...entry, key: `${entry.token}-refused`, id: undefined, lastMadeId };
}

/** The inputs for an object's path. They are ids, which are no secrets: any other secret stays out. */
function pathInputsOf(kind: ResourceKind, { urn, inputs }: ResourceRequest): Props {
  const fields = kind.pathFields.filter((field) => !isUnshown(urn, String(inputs[field])));
  return Object.fromEntries(fields.map((field) => [field, inputs[field]]));
}

/** Equal for equal inputs of a kind. */
export function fingerprintOf(kind: ResourceKind, inputs: Props): string {
  const values = Object.keys(kind.policies).map((field) => inputs[field] ?? null);
  return createHash("sha256").update(JSON.stringify(values)).digest("hex");
}
