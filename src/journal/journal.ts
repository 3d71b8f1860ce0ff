import { isSameId } from "../definition/same-id";
import type { JournalEntry, Worker } from "./entry";

/**
 * The journal of creations. If a run is killed between a creation's request and the engine's saving of the answer, the
 * object exists and no state knows it. So an entry goes to disk before the request, with the token that the API's audit
 * log shows. A later process that finds the entry looks for the object before it creates anything for that URN:
 * `src/lifecycle/recovery/interrupted-creation.ts`.
 *
 * An entry's life:
 * 1. `write` before the request, without an id;
 * 2. `write` again with the id, when the API has answered. No state has the object yet, so a later run takes it over;
 * 3. `write` again with `isHandedOver`, before the engine gets the answer, or when a run adopts or imports the object.
 *    A state may have it from now on, under any name, so a later run only names it. If a full disk prevents that,
 *    `recordAdoption` says the same;
 * 4. `remove`, when a program's resource has the id (diff in an update or its preview; update; delete), when it is
 *    proven that nothing was made, when the API no longer shows the object to the key that made it, or when a person
 *    has decided. The end of a process removes no entry. Neither does reading an id: a refresh reads references too,
 *    and an import may fail after its diff.
 *
 * Before a run takes over or adopts the object of an earlier entry, it locks the object. Before the doctor deletes an
 * object, it locks all. Meanwhile, no other process takes over, adopts or deletes a locked object.
 *
 * A take-over of an object that something else has made has an entry too, from before its first change until 4. No run
 * looks for its object. The entry keeps the object's former values, `foundAs`.
 *
 * An entry has no secret, only a hash of a secret name, and no body. Tests pass their own journal in `createRun({
 * journal })`, such as a `FileJournal` in a temporary folder. The plugin's is in the user's state folder. A run without
 * a journal keeps none.
 */
export interface Journal {
  /** Writes an entry, or a newer version of it. When this resolves, it is on disk. Rejects if that is not possible. */
  write(entry: JournalEntry): Promise<void>;
  /**
   * Records that a run of this reader (`readerKey`, with `-open` or `-late`) has warned of an entry. The entry's own
   * file stays as it is, because the process of another stack may be writing it.
   */
  recordWarning(entry: JournalEntry, reader: string): Promise<void>;
  /** Records that a resource has adopted or received an object. The record lasts until the journal has no entry. */
  recordAdoption(adopted: AdoptedObject): Promise<void>;
  /**
   * Locks an object, or ALL_OBJECTS, for this process, until `unlock` or the end of the process. Resolves with the
   * other process if one has locked it. `now` is this machine's time of day.
   */
  lock(id: string, now: number): Promise<Worker | undefined>;
  /** Does nothing if this process has not locked the object. */
  unlock(id: string): Promise<void>;
  /**
   * Removes an entry and its records. With the last entry, it also removes the records of adoptions. Does nothing if
   * the entry no longer exists.
   */
  remove(entry: JournalEntry): Promise<void>;
  /** The entries of all stacks. Never rejects, and never hangs. */
  all(): Promise<JournalContents>;
}

export interface JournalContents {
  /** Oldest first. An entry of an adopted object is handed over: a state may have it. */
  readonly entries: readonly JournalEntry[];
  /** What `recordAdoption` has recorded. A state may have these objects, so no run takes them over. */
  readonly adopted: readonly AdoptedObject[];
  /** Entries that cannot be read. They are kept, because each may stand for an object. */
  readonly unreadable: readonly UnreadableEntry[];
}

export interface AdoptedObject {
  /** Such as `Volume`. */
  readonly type: string;
  readonly id: string;
}

/** A file in the journal that is not a readable entry, or the journal itself. */
export interface UnreadableEntry {
  readonly path: string;
  /** True if the path is the folder of the journal: no entry can be read. */
  readonly isJournal?: boolean;
  /** A predicate: `is not a file`. */
  readonly reason: string;
}

/**
 * Marks the entries of adopted objects as handed over. The files do not have this mark, because no process writes into
 * the entries of other stacks.
 */
export function withAdoptions(
  entries: readonly JournalEntry[],
  adopted: readonly AdoptedObject[],
): readonly JournalEntry[] {
  const isAdopted = ({ id }: JournalEntry): boolean => adopted.some((each) => isSameId(each.id, id));
  return entries.map((entry) => (isAdopted(entry) ? { ...entry, isHandedOver: true } : entry));
}

/** True if the entry, or the whole journal, cannot be read at the moment. Then the entry is not closed. */
export function isUnread(unreadable: readonly UnreadableEntry[], key: string): boolean {
  return unreadable.some(({ path, isJournal }) => isJournal || path.includes(key));
}

/** Locks all objects instead of one: a deletion by a person may also delete other objects, which only the API knows. */
export const ALL_OBJECTS = "*";

/** A journal that keeps nothing. */
export const noJournal: Journal = {
  write: () => Promise.resolve(),
  recordWarning: () => Promise.resolve(),
  recordAdoption: () => Promise.resolve(),
  lock: () => Promise.resolve(undefined),
  unlock: () => Promise.resolve(),
  remove: () => Promise.resolve(),
  all: () => Promise.resolve({ entries: [], adopted: [], unreadable: [] }),
};

/** The journal with some functions of another one. */
export function journalWith(journal: Journal, others: Partial<Journal>): Journal {
  return {
    write: (entry) => journal.write(entry),
    recordWarning: (entry, reader) => journal.recordWarning(entry, reader),
    recordAdoption: (adopted) => journal.recordAdoption(adopted),
    lock: (id, now) => journal.lock(id, now),
    unlock: (id) => journal.unlock(id),
    remove: (entry) => journal.remove(entry),
    all: () => journal.all(),
    ...others,
  };
}

/** For messages, instead of a system's error code. */
const REASON = "this user has no home folder: set HOME or XDG_STATE_HOME";

/**
 * The journal of a user without a home, as in many containers. It keeps nothing, and says so to each run that creates
 * something.
 */
export const homelessJournal: Journal = {
  ...noJournal,
  write: () => Promise.reject(Object.assign(new Error(REASON), { code: REASON })),
};
