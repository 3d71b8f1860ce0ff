/**
 * The journal of creations. A run that is killed between a creation's request and the engine's saving of its answer leaves an
 * object that no state knows. So before each such request an entry is written to disk; it goes when the object's id is known
 * to be in the state, or when it is certain that nothing was made. What a later process finds here is in doubt:
 * `src/dynamic/interrupted-creation.ts` looks for what it made before it creates anything for that URN.
 *
 * An entry's life:
 * 1. `write` before the request, without an id;
 * 2. `write` again with the id, once the API has told it;
 * 3. `remove`: the request surely had no effect; the engine has presented the id (diff, read, update, delete), so the state has
 *    it; the engine has ended the plugin in good order after it took the answer (`removeNow`); or a later run has dealt with it.
 *
 * An entry holds no secret and no body. Tests pass their own journal in `createRun({ journal })`, such as a `FileJournal` in a
 * temporary folder; the plugin's is in the user's state folder. Without one a run keeps none.
 */
export interface Journal {
  /** Writes an entry, or the newer version of one: it is on disk when this resolves. Rejects where that is not possible. */
  write(entry: JournalEntry): Promise<void>;
  /** Takes entries away; those that are gone are no fault. */
  remove(entry: JournalEntry): Promise<void>;
  /** As `remove`, at once: for the last moment of a process. Never throws. */
  removeNow(entries: readonly JournalEntry[]): void;
  /** The entries of a stack, oldest first. What cannot be read is passed over. */
  of(stack: StackAddress): Promise<readonly JournalEntry[]>;
}

/** Which stack, and at which API: entries of another are none of a run's business. */
export interface StackAddress {
  /** Where Pulumi keeps the state; empty where that is not known. */
  readonly backend: string;
  /** The API's. */
  readonly baseUrl: string;
  readonly project: string;
  readonly stack: string;
}

/** One creation that is not known to be in the state. */
export interface JournalEntry {
  readonly version: 1;
  /** Unique; the file's name. */
  readonly key: string;
  readonly stack: StackAddress;
  readonly urn: string;
  /** The kind's type, `FirewallRule`, and its words, `firewall rule`. */
  readonly type: string;
  readonly noun: string;
  /** The object's name at the API. */
  readonly name: string;
  /** Whether check chose the name: then it makes an object provably ours. */
  readonly isChosenName: boolean;
  /** How many times the resource had been replaced. */
  readonly generation: number;
  /** The inputs that say where the object is: a firewall rule's `vpcId`. */
  readonly place: Readonly<Record<string, unknown>>;
  /** A hash of the inputs: tells whether the program has changed since. */
  readonly fingerprint: string;
  /** Between which times by the API's clock the request could be carried out; ISO 8601. */
  readonly sentAt: string;
  readonly sentUntil: string;
  /** The object's id, once the API has told it. */
  readonly id?: string;
  /** The process that sent it. */
  readonly pid: number;
  /** Whether a run has warned of it. */
  readonly isTold?: true;
}

/** Keeps nothing. */
export const noJournal: Journal = {
  write: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  removeNow: () => undefined,
  of: () => Promise.resolve([]),
};
