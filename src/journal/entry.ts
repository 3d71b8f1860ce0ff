import { z } from "zod";
import { createHmac } from "node:crypto";
import { SECRET_INPUT } from "../text/shown-text";

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is not a time");
/** Fields of an object, by their names in the program. */
const fields = z.record(z.string(), z.unknown()).readonly();

/**
 * The address of a state and its API, as `address.ts` spells it. A run takes up entries of its own address only. It names those of others,
 * because each may be its own under an earlier name or base URL.
 */
const stackAddress = z
  .object({
    /** The address of Pulumi's backend. Empty if it is not known. */
    backend: z.string(),
    /** Whose stack it is in Pulumi Cloud. Absent elsewhere and in a run without a program: it can then be any. */
    organization: z.string().optional(),
    /** The address of the API. */
    baseUrl: z.string(),
    project: z.string(),
    stack: z.string(),
    /** The name of an explicit provider, which has its own account. Absent for all others. */
    provider: z.string().optional(),
  })
  .readonly();

/** The identity of a process. A number alone is not enough, because the system uses numbers again. */
const processIdentity = z
  .object({
    pid: z.number().int().positive(),
    /** When the process started, in the system's units. Absent if the system does not say it. */
    startedAt: z.string().optional(),
    /** The boot of the machine and, on Linux, the namespace of processes, in which the number counts. */
    space: z.string(),
  })
  .readonly();

/** A creation that the state may not have yet, as its file has it. */
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
  /** When the entry was made, by the API's clock; ISO 8601. The request may have been sent later, because of the rate limit. */
  sentAt: time,
  /** The same by this machine's clock. An hour has passed only if both clocks say so. */
  sentHereAt: time,
  /** A hash of the API key that it was sent with. Another key may be of another account, which shows none of the objects. */
  keyHash: z.string().optional(),
  /** When the API answered with the id. */
  answeredAt: time.optional(),
  /** The object's id, after the API has answered. */
  id: z.string().min(1).optional(),
  /** For the refused attempts of a creation that was sent again: what the last one made. The log may show that another one made something too. */
  lastMadeId: z.string().min(1).optional(),
  /** What a resource has adopted while no log showed whether this creation made it. A state may have it, so nothing takes it up. */
  adoptedIds: z.array(z.string().min(1)).readonly().optional(),
  /** For a take-over: the fields that it changes, as they were before. Such an entry has its id from the start. */
  foundAs: fields.optional(),
  /** The process that sent it. */
  sender: processIdentity,
  /** Whether the engine was given the answer. From then on a state may have the object. */
  isHandedOver: z.literal(true).optional(),
  /** Whether a run has created the resource again, because this creation made nothing that it could take up. */
  isSuperseded: z.literal(true).optional(),
});

export type StackAddress = z.infer<typeof stackAddress>;
export type ProcessIdentity = z.infer<typeof processIdentity>;

export interface JournalEntry extends Readonly<z.infer<typeof savedEntry>> {
  /** The readers whose runs have warned of this entry. Only of entries that were read. */
  readonly warned?: readonly string[] | undefined;
  /** When its file was last touched, which its process does while it runs. Only of entries that were read. */
  readonly touchedAt?: string | undefined;
}

/** The project of what no state ever has: the keys that commands make. No project of Pulumi can have this name. */
export const WITHOUT_STATE = "cloudinfra command";

/** Whether a command of `cloudinfra` made it, so that no run looks for it. */
export function isOfCommand({ stack }: JournalEntry): boolean {
  return stack.project === WITHOUT_STATE;
}

/** Whether it is about the refused attempts of a creation that was sent again. */
export function isRefusedAttempt({ lastMadeId }: JournalEntry): boolean {
  return lastMadeId !== undefined;
}

/** Reads a file of the journal. Throws an error whose message completes "it …". */
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
