import { idKey } from "../definition/same-id";
import type { JournalEntry, Worker } from "./entry";
import type { AdoptedObject, Journal, JournalContents } from "./journal";
import { fileFault } from "../text/file-fault";
import { STACK, type RowLog } from "../engine/row-log";

/**
 * Writes the entries of one run, each with its changes in their order, and locks objects. Warns once if the journal
 * cannot be written.
 */
export class EntryWriter {
  /**
   * The last pending change by the key of an entry, or by the id of a lock. After the removal of an entry, no change of
   * it follows.
   */
  readonly #changes = new Map<string, Promise<unknown>>();
  /**
   * The latest version by key. Steps run in parallel, so each must change the latest version, and not the one that it
   * has read.
   */
  readonly #latest = new Map<string, JournalEntry>();
  readonly #ended = new Set<string>();
  /** How many steps of this run have locked an object, by its id. */
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
    return this.#change(entry.key, async () => {
      if (!this.hasEnded(entry)) await this.journal.write(entry);
    });
  }

  recordWarning(entry: JournalEntry, reader: string): Promise<boolean> {
    return this.#change(entry.key, () => this.journal.recordWarning(entry, reader));
  }

  recordAdoption(adopted: AdoptedObject): Promise<boolean> {
    return this.#change(idKey(adopted.id), () => this.journal.recordAdoption(adopted));
  }

  /** Reads the journal again, with the changes of other processes. */
  async read(): Promise<JournalContents> {
    const before = new Map(this.#latest); // a later change may not be on disk yet, so it counts
    await Promise.all(this.#changes.values());
    const contents = await this.journal.all();
    for (const entry of contents.entries)
      if (this.#latest.get(entry.key) === before.get(entry.key)) this.#latest.set(entry.key, entry);
    return contents;
  }

  /**
   * Locks an object (see Journal). A run may repeat this. `isWritable`: false if the journal cannot be written, so that
   * nothing is locked.
   */
  async lock(id: string, now: number): Promise<{ readonly other: Worker | undefined; readonly isWritable: boolean }> {
    let other: Worker | undefined;
    const isWritable = await this.#change(idKey(id), async () => {
      other = await this.journal.lock(id, now);
      if (!other) this.#locks.set(idKey(id), (this.#locks.get(idKey(id)) ?? 0) + 1);
    });
    return { other, isWritable };
  }

  /** Ends one `lock`. */
  async unlock(id: string): Promise<void> {
    await this.#change(idKey(id), async () => {
      const count = (this.#locks.get(idKey(id)) ?? 0) - 1;
      this.#locks.set(idKey(id), Math.max(0, count));
      if (count === 0) await this.journal.unlock(id);
    });
  }

  remove(entry: JournalEntry): Promise<boolean> {
    this.#ended.add(entry.key);
    return this.#change(entry.key, () => this.journal.remove(entry));
  }

  #change(key: string, change: () => Promise<void>): Promise<boolean> {
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
      const { path } = error as NodeJS.ErrnoException;
      await this.rows.line(
        STACK,
        "warning",
        `the journal of creations cannot be written (${path === undefined ? "" : `${path}: `}${fileFault(error)}): if this run fails or is killed, the next run will not know what it was creating`,
      );
      return false;
    }
  }
}
