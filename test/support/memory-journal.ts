import { isSameStack } from "../../src/journal/address";
import type { Journal, JournalContents, JournalEntry, StackAddress } from "../../src/journal/journal";

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

  writeNow(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#entries.set(entry.key, JSON.stringify(entry));
  }

  remove(entry: JournalEntry): Promise<void> {
    this.#entries.delete(entry.key);
    return Promise.resolve();
  }

  of(stack: StackAddress): Promise<JournalContents> {
    const entries = this.entries.filter((entry) => isSameStack(entry.stack, stack));
    return Promise.resolve({ entries, unreadable: [] });
  }
}
