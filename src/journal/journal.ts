import type { ProcessIdentity } from "./process-identity";

/**
 * The journal of creations. If a run is killed between a creation's request and the engine's saving of the answer, the object
 * exists and no state knows it. So an entry goes to disk before the request, with the token that the API's audit log shows. A
 * later process that finds the entry looks for the object before it creates anything for that URN:
 * `src/lifecycle/recovery/interrupted-creation.ts`.
 *
 * An entry's life:
 * 1. `write` before the request, without an id;
 * 2. `write` again with the id, when the API has answered. No state has the object yet, so a later run takes it up;
 * 3. `write` again with `isHandedOver`, before the engine gets the answer, or when a run imports the object. A state may have
 *    it from now on, under any name, so a later run only names it;
 * 4. `remove`, when a program's resource has the id (diff in an update or a preview of one; update; delete), when it is proven that
 *    nothing was made, when the API shows the object no longer to the key that made it, or when a person has decided. Never because a
 *    process ends, and not when an id is only read: a refresh reads references too, and an import may fail after its diff.
 *
 * A take-over of an object that something else has made has an entry too, from before its first change until 4. Nothing is looked for
 * then: the entry keeps what the object was found as, `foundAs`.
 *
 * An entry has no secret, only a hash of a secret name, and no body. Tests pass their own journal in `createRun({ journal })`, such as a `FileJournal` in a
 * temporary folder. The plugin's is in the user's state folder. A run without a journal keeps none.
 */
export interface Journal {
  /** Writes an entry, or a newer version of it. When this resolves, it is on disk. Rejects if that is not possible. */
  write(entry: JournalEntry): Promise<void>;
  /**
   * Notes that a run of this reader (`readerKey`) has warned of an entry. The entry itself is not written, because the process of
   * another stack may be doing that.
   */
  noteTold(entry: JournalEntry, reader: string): Promise<void>;
  /** Removes an entry. It may be gone already. */
  remove(entry: JournalEntry): Promise<void>;
  /** The entries of all stacks. Never rejects, and never hangs. */
  all(): Promise<JournalContents>;
}

export interface JournalContents {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** Entries that cannot be read. They are kept, because each may be about an object. */
  readonly unreadable: readonly UnreadableEntry[];
}

/** A file in the journal that is not a readable entry. */
export interface UnreadableEntry {
  readonly path: string;
  /** Completes "it …": `is not a file`. */
  readonly why: string;
}

/**
 * The address of a state and its API, as `address.ts` spells it. A run takes up entries of its own address only. It names those of others,
 * because each may be its own under an earlier name or base URL.
 */
export interface StackAddress {
  /** The address of Pulumi's backend. Empty if it is not known. */
  readonly backend: string;
  /** Whose stack it is in Pulumi Cloud. Absent elsewhere and in a run without a program: it can then be any. */
  readonly organization?: string | undefined;
  /** The address of the API. */
  readonly baseUrl: string;
  readonly project: string;
  readonly stack: string;
  /** The name of an explicit provider, which has an account of its own. Absent for all others. */
  readonly provider?: string | undefined;
}

/** A creation that the state may not have yet. */
export interface JournalEntry {
  readonly version: 1;
  /** A unique key, which is the file's name. */
  readonly key: string;
  /** The token of the request, which the API's audit log shows. */
  readonly token: string;
  readonly stack: StackAddress;
  readonly urn: string;
  /** The kind's type, `FirewallRule`, and its words, `firewall rule`. */
  readonly type: string;
  readonly noun: string;
  /** The object's name at the API. Absent if it is secret in the program: see `entry-name.ts`. */
  readonly name?: string | undefined;
  /** A hash of a secret name with the token. */
  readonly nameHash?: string | undefined;
  /** The inputs for the object's path: a firewall rule's `vpcId`. */
  readonly place: Readonly<Record<string, unknown>>;
  /** A hash of the inputs. It shows whether the program has changed since. */
  readonly fingerprint: string;
  /** When the entry was made, by the API's clock; ISO 8601. The request may have been sent later, because of the rate limit. */
  readonly sentAt: string;
  /** The same by this machine's clock. An hour has passed only if both clocks say so. */
  readonly sentHereAt: string;
  /** A hash of the API key that it was sent with. Another key may be of another account, which shows none of the objects. */
  readonly keyHash?: string | undefined;
  /** When the API answered with the id. */
  readonly answeredAt?: string | undefined;
  /** The object's id, after the API has answered. */
  readonly id?: string | undefined;
  /** For a take-over: the fields that it changes, as they were before. Such an entry has its id from the start. */
  readonly foundAs?: Readonly<Record<string, unknown>> | undefined;
  /** The process that sent it. */
  readonly sender: ProcessIdentity;
  /** Whether the engine was given the answer. From then on a state may have the object. */
  readonly isHandedOver?: true | undefined;
  /** Whether a run has created the resource again, because this creation made nothing that it could take up. */
  readonly isSuperseded?: true | undefined;
  /** The readers whose runs have warned of this entry. Only of entries that were read. */
  readonly toldTo?: readonly string[] | undefined;
  /** When its file was last touched, which its process does while it runs. Only of entries that were read. */
  readonly touchedAt?: string | undefined;
}

/** A journal that keeps nothing. */
export const noJournal: Journal = {
  write: () => Promise.resolve(),
  noteTold: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  all: () => Promise.resolve({ entries: [], unreadable: [] }),
};
