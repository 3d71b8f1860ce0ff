import { z } from "zod";
import { createHmac } from "node:crypto";
import { isSameId } from "../definition/same-id";
import type { ProcessIdentity } from "../process/process-identity";
import { SECRET_INPUT } from "../text/redaction";

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is not a time");
/** Fields of an object, by their names in the program. */
const fields = z.record(z.string(), z.unknown()).readonly();

/**
 * The address of a state and its API, as `address.ts` spells it. A run takes over entries of its own address only. It
 * warns of others, because each may be its own under an earlier name or base URL.
 */
const stackAddress = z
  .object({
    /** The address of Pulumi's backend. Empty if it is not known. */
    backend: z.string(),
    /** The organization in Pulumi Cloud. Absent for other backends, and unknown in a run without a program. */
    organization: z.string().optional(),
    baseUrl: z.string(),
    project: z.string(),
    stack: z.string(),
    /** The name of an explicit provider, which has its own account. Absent for all others. */
    provider: z.string().optional(),
    /** The id in the stack's configuration. A rename does not change it, but a copy of the file has it too. */
    stackId: z.string().optional(),
  })
  .readonly();

/** See `ProcessIdentity`. */
export const processIdentity = z
  .object({
    pid: z.number().int().positive(),
    startedAt: z.string().optional(),
    space: z.string(),
  })
  .readonly();

/** A creation that the state may not have yet, in the form of its file. */
const savedEntry = z.object({
  version: z.literal(1),
  /** A unique key, which is the file's name. */
  key: z.string().min(1),
  /** The token of the request, which the API's audit log shows. */
  token: z.string().regex(/^[0-9a-f]{32}$/),
  stack: stackAddress,
  urn: z.string().regex(/^urn:pulumi:/),
  /** The kind's type, `FirewallRule`, and its words, `firewall rule`. */
  type: z.string(),
  noun: z.string(),
  /** The object's name at the API. Absent if it is secret in the program: only its hash is kept. */
  name: z.string().optional(),
  /** A hash of a secret name with the token. */
  nameHash: z.string().optional(),
  /** The inputs for the object's path: a firewall rule's `vpcId`. */
  pathInputs: fields,
  /** A hash of the inputs. It shows whether the program has changed since. */
  fingerprint: z.string(),
  /**
   * When the entry was made, by the API's clock; ISO 8601. The request may have been sent later, because of the rate
   * limit.
   */
  sentAt: time,
  /** `sentAt` by this machine's clock. Time has passed only if both clocks say so. */
  sentHereAt: time,
  /**
   * A hash of the API key of the request. Another key may belong to another account, which does not show the object.
   */
  keyHash: z.string().optional(),
  /** When the API answered with the id. */
  answeredAt: time.optional(),
  /** The object's id, after the API has answered. */
  id: z.string().min(1).optional(),
  /**
   * True if the API refused the request, and the client sent it again. The refusal may have been the response to a
   * second delivery, and each attempt may be delivered late. Once the entry has an id, another entry is about the other
   * attempts.
   */
  wasSentAgain: z.literal(true).optional(),
  /** For the other attempts of such a creation: the ids of the objects that are known. The log may show more later. */
  madeIds: z.array(z.string().min(1)).readonly().optional(),
  /** For a take-over: the former values of the object's fields. Such an entry has its id from the start. */
  foundAs: fields.optional(),
  /** The process that sent it. */
  sender: processIdentity,
  /** True after the engine got the answer. From then on a state may have the object. */
  isHandedOver: z.literal(true).optional(),
  /** True if a run has created the resource again, because it found no object to take over. */
  isSuperseded: z.literal(true).optional(),
});

export type StackAddress = z.infer<typeof stackAddress>;

/** A process that works on a creation or its object, and the file that says so. */
export interface Worker {
  /** Undefined if it cannot be read (yet). */
  readonly process: ProcessIdentity | undefined;
  /** When the process last touched its file. ISO 8601. */
  readonly touchedAt: string | undefined;
}

export interface JournalEntry extends Readonly<z.infer<typeof savedEntry>> {
  /**
   * The readers (`readerKey`) whose runs have warned of this entry, each with what it said (`-open`, `-late`). Not in
   * the file: set when an entry is read.
   */
  readonly warned?: readonly string[] | undefined;
  /**
   * When its file was last touched. A process touches its files while it runs. Not in the file: set when an entry is
   * read.
   */
  readonly touchedAt?: string | undefined;
  /**
   * True if the journal could not be written when the request was sent, so that no later run finds the entry. Not in
   * the file.
   */
  readonly isUnwritten?: true | undefined;
}

/**
 * The project in the entries of keys that commands make, which no state ever has. No project of Pulumi can have this
 * name.
 */
export const WITHOUT_STATE = "cloudinfra command";

/** True if a command of `cloudinfra` made it. Then no run looks for it. */
export function isOfCommand({ stack }: JournalEntry): boolean {
  return stack.project === WITHOUT_STATE;
}

/** Parses a file of the journal. The message of its error is a predicate: `is damaged (not JSON)`. */
export function parseEntry(text: string): JournalEntry {
  const parsed = jsonOf(text);
  const version = typeof parsed === "object" && parsed !== null ? (parsed as { version?: unknown }).version : undefined;
  if (typeof version === "number" && version > 1) throw new Error("was written by a newer version of the package");
  const result = savedEntry.safeParse(parsed);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`is damaged (${[...(issue?.path ?? []), issue?.message].join(" ")})`);
  }
  return result.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(text.trim() === "" ? "is empty" : "is damaged (not JSON)");
  }
}

type NameInEntry = Pick<JournalEntry, "name" | "nameHash">;

/** The object's name as an entry keeps it. */
export function nameInEntry(token: string, name: string, isSecret: boolean): NameInEntry {
  return isSecret ? { nameHash: hashOf(token, name) } : { name };
}

/** Whether an entry's object has this name. */
export function isNamed({ token, name, nameHash }: NameInEntry & Pick<JournalEntry, "token">, other: unknown): boolean {
  return nameHash === undefined ? other === name : typeof other === "string" && hashOf(token, other) === nameHash;
}

/** The name for people. */
export function shownName({ name }: NameInEntry): string {
  return name === undefined ? SECRET_INPUT : JSON.stringify(name);
}

function hashOf(token: string, name: string): string {
  return createHmac("sha256", token).update(name).digest("hex");
}

/** True if it is about the other attempts of a creation that was sent again. */
export function isAboutOthers({ madeIds }: Pick<JournalEntry, "madeIds">): boolean {
  return madeIds !== undefined;
}

/** True if the entry is about other attempts than the one that made this object. */
export function isOfOtherAttempt({ madeIds = [] }: JournalEntry, id: string): boolean {
  return madeIds.some((made) => isSameId(made, id));
}

/** True if no process has recorded that the engine got its object, and no run has made the resource again. */
export function isOpen({ isHandedOver, isSuperseded }: JournalEntry): boolean {
  return isHandedOver !== true && isSuperseded !== true;
}

/**
 * True if an open creation may have made the object, so that the next creation of its resource takes the object over.
 */
export function isTakenOverBy(
  entry: JournalEntry,
  { id, name, created_at: madeAt }: Readonly<Record<string, unknown>>,
): boolean {
  if (!isOpen(entry)) return false;
  if (entry.id !== undefined) return isSameId(entry.id, String(id));
  // The API's time may have whole seconds only.
  return isNamed(entry, name) && !(Date.parse(String(madeAt)) < Date.parse(entry.sentAt) - 1_000);
}
