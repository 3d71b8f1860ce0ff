import type { ProcessIdentity } from "./process-identity";

/**
 * The journal of creations. A run that is killed between a creation's request and the engine's saving of its answer leaves an
 * object that no state knows. So before each such request an entry is written to disk, with the token that the request carries
 * and that the API's audit log shows. What a later process finds here is in doubt: `src/lifecycle/recovery/interrupted-creation.ts` looks
 * for what it made before it creates anything for that URN.
 *
 * An entry's life:
 * 1. `write` before the request, without an id;
 * 2. `write` again with the id, once the API has told it;
 * 3. `remove`, when the engine has presented the id (diff, read, update, delete), so that the state has it; or when it is proven
 *    that nothing was made; or when a later run has dealt with it. Never because a process ends.
 *
 * An entry holds no secret and no body. Tests pass their own journal in `createRun({ journal })`, such as a `FileJournal` in a
 * temporary folder; the plugin's is in the user's state folder. Without one a run keeps none.
 */
export interface Journal {
  /** Writes an entry, or the newer version of one: it is on disk when this resolves. Rejects if that is not possible. */
  write(entry: JournalEntry): Promise<void>;
  /** Writes newer versions of entries at once: for the last moment of a process. Never throws. */
  writeNow(entries: readonly JournalEntry[]): void;
  /** Takes an entry away; one that is gone is no fault. */
  remove(entry: JournalEntry): Promise<void>;
  /** What there is of a stack. Never rejects, and never hangs. */
  of(stack: StackAddress): Promise<JournalContents>;
}

/** What is in a journal. */
export interface JournalContents {
  /** Oldest first. */
  readonly entries: readonly JournalEntry[];
  /** What is there and cannot be understood: it is kept, since it may stand for an object. */
  readonly unreadable: readonly UnreadableEntry[];
}

/** Something in the journal that is no entry. */
export interface UnreadableEntry {
  readonly path: string;
  /** Completes "it …": `is not a file`. */
  readonly why: string;
}

/** Which state, and at which API: entries of another are none of a run's business. As `address.ts` spells them. */
export interface StackAddress {
  /** Where Pulumi keeps the state; empty if that is not known. */
  readonly backend: string;
  /** The API's. */
  readonly baseUrl: string;
  readonly project: string;
  readonly stack: string;
}

/** One creation that is not known to be in the state. */
export interface JournalEntry {
  readonly version: 2;
  /** Unique; the file's name. */
  readonly key: string;
  /** What the request is known by in the API's audit log. Entries of release 0.1.0 have none. */
  readonly token?: string | undefined;
  readonly stack: StackAddress;
  readonly urn: string;
  /** The kind's type, `FirewallRule`, and its words, `firewall rule`. */
  readonly type: string;
  readonly noun: string;
  /** The object's name at the API. */
  readonly name: string;
  /** How many times the resource had been replaced. */
  readonly generation: number;
  /** The inputs that say where the object is: a firewall rule's `vpcId`. */
  readonly place: Readonly<Record<string, unknown>>;
  /** A hash of the inputs: tells whether the program has changed since. */
  readonly fingerprint: string;
  /** When the entry was made, by the API's clock; ISO 8601. The request may have waited for its turn after that. */
  readonly sentAt: string;
  /** The same by this machine's clock: if both clocks say that an hour has passed, it has. */
  readonly sentHereAt?: string | undefined;
  /** When the API told the id. */
  readonly answeredAt?: string | undefined;
  /** The object's id, once the API has told it. */
  readonly id?: string | undefined;
  /** The process that sent it. */
  readonly sender: ProcessIdentity;
  /** Whether the process ended in good order after it gave the engine the answer: then the state very likely has it. */
  readonly isHandedOver?: true | undefined;
  /** Whether a person had cancelled its run by then: after a second Ctrl-C, the engine has not waited until it was saved. */
  readonly isCancelled?: true | undefined;
  /** Whether its run gave up waiting until the object was ready. */
  readonly isHalfMade?: true | undefined;
  /** How many updates have ended since, and the engine did not present the id in them. */
  readonly missed?: number | undefined;
  /** Whether another creation was sent for the resource since, because this one seemed to have made nothing. */
  readonly isSuperseded?: true | undefined;
  /** Whether a run has warned of it. */
  readonly isTold?: true | undefined;
}

/** Keeps nothing. */
export const noJournal: Journal = {
  write: () => Promise.resolve(),
  writeNow: () => undefined,
  remove: () => Promise.resolve(),
  of: () => Promise.resolve({ entries: [], unreadable: [] }),
};
