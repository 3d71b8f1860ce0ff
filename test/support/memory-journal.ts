import type { JournalEntry, Worker } from "../../src/journal/entry";
import {
  ALL_OBJECTS,
  withAdoptions,
  type AdoptedObject,
  type Journal,
  type JournalContents,
} from "../../src/journal/journal";
import { isOtherRunning } from "../../src/journal/sender";
import { isThisProcess, thisProcess, type ProcessIdentity } from "../../src/process/process-identity";

/** A journal in memory that outlives runs. */
export class MemoryJournal implements Journal {
  readonly #entries = new Map<string, string>();
  readonly #warned = new Map<string, readonly string[]>();
  readonly adopted: AdoptedObject[] = [];
  readonly #locks = new Map<string, Worker>();

  /** A journal for the tests of a file. It is empty and without spies at the start of each. */
  static forSuite(): MemoryJournal {
    const journal = new MemoryJournal();
    beforeEach(() => {
      journal.#entries.clear();
      journal.#warned.clear();
      journal.adopted.length = 0;
      journal.#locks.clear();
    });
    afterEach(() => jest.restoreAllMocks());
    return journal;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()]
      .map((text) => JSON.parse(text) as JournalEntry)
      .map((entry) => ({ ...entry, warned: this.#warned.get(entry.key) }));
  }

  write(entry: JournalEntry): Promise<void> {
    this.#entries.set(entry.key, JSON.stringify(entry));
    return Promise.resolve();
  }

  recordWarning({ key }: JournalEntry, reader: string): Promise<void> {
    this.#warned.set(key, [...(this.#warned.get(key) ?? []), reader]);
    return Promise.resolve();
  }

  recordAdoption(object: AdoptedObject): Promise<void> {
    this.adopted.push(object);
    return Promise.resolve();
  }

  lock(id: string, now: number): Promise<Worker | undefined> {
    const worker = this.#locks.get(id) ?? this.#locks.get(ALL_OBJECTS);
    if (worker && isOtherRunning(worker, now)) return Promise.resolve(worker);
    this.lockFor(thisProcess(), id);
    return Promise.resolve(undefined);
  }

  unlock(id: string): Promise<void> {
    const locker = this.lockerOf(id);
    if (locker && isThisProcess(locker)) this.#locks.delete(id);
    return Promise.resolve();
  }

  /** Locks an object as this process does. */
  lockFor(process: ProcessIdentity, id: string): void {
    this.#locks.set(id, { process, touchedAt: undefined });
  }

  lockerOf(id: string): ProcessIdentity | undefined {
    return this.#locks.get(id)?.process;
  }

  /**
   * Makes the entries look as if every process had been killed before it told the engine of its object, or before it
   * had the API's answer.
   */
  async undoHandOver({ isAnswered = true } = {}): Promise<void> {
    for (const entry of this.entries)
      await this.write({ ...entry, isHandedOver: undefined, id: isAnswered ? entry.id : undefined });
  }

  remove(entry: JournalEntry): Promise<void> {
    this.#entries.delete(entry.key);
    if (this.#entries.size === 0) this.adopted.length = 0;
    return Promise.resolve();
  }

  all(): Promise<JournalContents> {
    const adopted = [...this.adopted];
    return Promise.resolve({ entries: withAdoptions(this.entries, adopted), adopted, unreadable: [] });
  }
}
