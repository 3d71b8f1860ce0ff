import type { JournalEntry } from "../../journal/entry";
import type { Journal } from "../../journal/journal";
import { STACK, type RowLog } from "../../engine/row-log";

/** Writes the entries of one run, and the changes of each entry in their order. Warns once if the journal cannot be written. */
export class EntryWriter {
  /** The last pending change by key. After the removal of an entry, no change of it follows. */
  readonly #changes = new Map<string, Promise<unknown>>();
  /** The last version by key. Steps run side by side, so each changes this one, and not the version that it once read. */
  readonly #latest = new Map<string, JournalEntry>();
  readonly #ended = new Set<string>();
  #isWritable = true;

  constructor(
    private readonly journal: Journal,
    private readonly rows: RowLog,
  ) {}

  hasEnded({ key }: JournalEntry): boolean {
    return this.#ended.has(key);
  }

  /** The entry with all changes of this run. */
  latest(entry: JournalEntry): JournalEntry {
    return this.#latest.get(entry.key) ?? entry;
  }

  /** Resolves with false if it cannot be written. */
  write(entry: JournalEntry): Promise<boolean> {
    this.#latest.set(entry.key, entry);
    return this.#change(entry, async () => {
      if (!this.hasEnded(entry)) await this.journal.write(entry);
    });
  }

  noteWarned(entry: JournalEntry, reader: string): Promise<boolean> {
    return this.#change(entry, () => this.journal.noteWarned(entry, reader));
  }

  remove(entry: JournalEntry): Promise<boolean> {
    this.#ended.add(entry.key);
    return this.#change(entry, () => this.journal.remove(entry));
  }

  #change({ key }: JournalEntry, change: () => Promise<void>): Promise<boolean> {
    const before = this.#changes.get(key) ?? Promise.resolve();
    const changing = before.then(() => this.#orWarn(change));
    this.#changes.set(key, changing);
    return changing;
  }

  async #orWarn(change: () => Promise<void>): Promise<boolean> {
    try {
      await change();
      return true;
    } catch (error) {
      if (!this.#isWritable) return false;
      this.#isWritable = false;
      const { code = "for an unknown reason" } = error as NodeJS.ErrnoException;
      await this.rows.line(
        STACK,
        "warning",
        `the journal of creations cannot be written (${code}): if this run fails or is killed, the next run will not know what it was creating`,
      );
      return false;
    }
  }
}
