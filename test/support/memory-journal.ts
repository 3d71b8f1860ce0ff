import type { Journal, JournalEntry, StackAddress } from "../../src/journal/journal";

/** A journal that outlives runs and touches no disk. */
export class MemoryJournal implements Journal {
  readonly #entries = new Map<string, string>();

  get entries(): readonly JournalEntry[] {
    return [...this.#entries.values()].map((text) => JSON.parse(text) as JournalEntry);
  }

  write(entry: JournalEntry): Promise<void> {
    this.#entries.set(entry.key, JSON.stringify(entry));
    return Promise.resolve();
  }

  remove(entry: JournalEntry): Promise<void> {
    this.#entries.delete(entry.key);
    return Promise.resolve();
  }

  removeNow(entries: readonly JournalEntry[]): void {
    for (const { key } of entries) this.#entries.delete(key);
  }

  of(stack: StackAddress): Promise<readonly JournalEntry[]> {
    const text = JSON.stringify(stack);
    return Promise.resolve(this.entries.filter((entry) => JSON.stringify(entry.stack) === text));
  }
}
