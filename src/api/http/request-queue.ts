/** The purpose of a request. */
export type Priority = "mutation" | "read" | "quote" | "poll";

/** A call's place in the queue: its purpose, and when it came. All attempts of the call keep it. */
export interface Slot {
  readonly priority: Priority;
  /** Grows with each call. */
  readonly number: number;
}

/**
 * The order of slots while calls of several priorities wait. Changes, reads and prices get equal shares. Polls get fewer, because one poll
 * sees all operations.
 */
export const SLOT_ORDER: readonly Priority[] = [
  ...Array.from({ length: 4 }, () => ["mutation", "read", "quote"] as const).flat(),
  "poll",
];

/**
 * The calls that wait for a slot. Within a priority, the first to come is the first to go. Priorities take turns, so that none
 * starves.
 */
export class RequestQueue<T extends { readonly slot: Slot }> implements Iterable<T> {
  readonly #waiting: Readonly<Record<Priority, T[]>> = { mutation: [], read: [], quote: [], poll: [] };
  readonly #order = forever(SLOT_ORDER);

  get isEmpty(): boolean {
    return Object.values(this.#waiting).every(({ length }) => length === 0);
  }

  /** A refused call keeps its place before all later calls. */
  add(item: T): void {
    const calls = this.#waiting[item.slot.priority];
    const before = calls.findLastIndex(({ slot }) => slot.number < item.slot.number);
    calls.splice(before + 1, 0, item);
  }

  /** Takes the next call out of the queue. Undefined if none waits. */
  take(): T | undefined {
    for (let looked = 0; looked < SLOT_ORDER.length; looked += 1) {
      const item = this.#waiting[this.#order.next().value].shift();
      if (item) return item;
    }
    return undefined;
  }

  /** Takes out a call that gives up. */
  remove(item: T): void {
    const calls = this.#waiting[item.slot.priority];
    const index = calls.indexOf(item);
    if (index >= 0) calls.splice(index, 1);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const calls of Object.values(this.#waiting)) yield* [...calls];
  }
}

function* forever<T>(items: readonly T[]): Generator<T, never> {
  for (;;) yield* items;
}
