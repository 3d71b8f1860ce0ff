import type { JournalEntry } from "../../journal/entry";
import type { Journal } from "../../journal/journal";
import { STACK, type RowLog } from "../../engine/row-log";

/** Writes and locks the entries of one run, and makes the changes of each entry in their order. Warns once if the journal cannot be written. */
export class EntryWriter {
  /** The last pending change by key. After the removal of an entry, no change of it follows. */
  readonly #changes = new Map<string, Promise<unknown>>();
  /** The last version by key. Steps run side by side, so each changes this one, and not the version that it once read. */
  readonly #latest = new Map<string, JournalEntry>();
  readonly #ended = new Set<string>();
  /** How many steps of this run have locked an entry, by its key. */
  readonly #locks = new Map<string, number>();
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

  /** Reads an entry again. Undefined if it was removed. */
  async reread(entry: JournalEntry): Promise<JournalEntry | undefined> {
    let now: JournalEntry | undefined = this.latest(entry);
    await this.#change(entry, async () => {
      const before = this.#latest.get(entry.key);
      now = (await this.journal.all()).entries.find(({ key }) => key === entry.key);
      if (now && this.#latest.get(entry.key) === before) this.#latest.set(entry.key, now);
    });
    return now;
  }

  /** Locks an entry (see Journal), also several times. If that cannot be noted, nothing else can. */
  async lock(entry: JournalEntry, now: number): Promise<boolean> {
    const locked = { byOther: false };
    await this.#change(entry, async () => {
      locked.byOther = !(await this.journal.lock(entry, now));
    });
    if (!locked.byOther) this.#locks.set(entry.key, (this.#locks.get(entry.key) ?? 0) + 1);
    return !locked.byOther;
  }

  /** Ends one `lock`. */
  async unlock(entry: JournalEntry): Promise<void> {
    const count = (this.#locks.get(entry.key) ?? 0) - 1;
    this.#locks.set(entry.key, Math.max(0, count));
    if (count === 0) await this.#change(entry, () => this.journal.unlock(entry));
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
