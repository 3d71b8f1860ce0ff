import type { JournalEntry, Worker } from "../../src/journal/entry";
import type { Journal, JournalContents } from "../../src/journal/journal";
import { isOtherRunning } from "../../src/journal/sender";
import { isThisProcess, thisProcess, type ProcessIdentity } from "../../src/process/process-identity";

/** A journal in memory that outlives runs. */
export class MemoryJournal implements Journal {
  readonly #entries = new Map<string, string>();
  readonly #warned = new Map<string, readonly string[]>();
  readonly #locks = new Map<string, Worker>();

  /** A journal for the tests of a file. It is empty and without spies at the start of each. */
  static forSuite(): MemoryJournal {
    const journal = new MemoryJournal();
    beforeEach(() => {
      journal.#entries.clear();
      journal.#warned.clear();
      journal.#locks.clear();
    });
    afterEach(() => jest.restoreAllMocks());
    return journal;
  }

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()]
      .map((text) => JSON.parse(text) as JournalEntry)
      .map((entry) => ({ ...entry, warned: this.#warned.get(entry.key), lockedBy: this.#locks.get(entry.key) }));
  }

  write(entry: JournalEntry): Promise<void> {
    this.#entries.set(entry.key, JSON.stringify({ ...entry, lockedBy: undefined }));
    return Promise.resolve();
  }

  noteWarned({ key }: JournalEntry, reader: string): Promise<void> {
    this.#warned.set(key, [...(this.#warned.get(key) ?? []), reader]);
    return Promise.resolve();
  }

  lock({ key }: JournalEntry, now: number): Promise<boolean> {
    const worker = this.#locks.get(key);
    if (worker && isOtherRunning(worker, now)) return Promise.resolve(false);
    this.#locks.set(key, { process: thisProcess(), touchedAt: undefined });
    return Promise.resolve(true);
  }

  unlock({ key }: JournalEntry): Promise<void> {
    const worker = this.#locks.get(key)?.process;
    if (worker && isThisProcess(worker)) this.#locks.delete(key);
    return Promise.resolve();
  }

  /** Makes the entries look as if this process had them in hand. */
  lockFor(process: ProcessIdentity): void {
    for (const { key } of this.entries) this.#locks.set(key, { process, touchedAt: undefined });
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
    this.#locks.delete(entry.key);
    return Promise.resolve();
  }

  all(): Promise<JournalContents> {
    return Promise.resolve({ entries: this.entries, unreadable: [] });
  }
}
