/** The purpose of a request. */
export type Lane = "mutation" | "read" | "quote" | "poll";

/** A call's place in the line: its purpose, and when it came. All attempts of the call keep it. */
export interface Turn {
  readonly lane: Lane;
  /** Grows with each call. */
  readonly number: number;
}

/**
 * The order of turns while several lanes wait. Changes, reads and prices get equal turns. Polls get fewer, because one poll
 * sees all operations.
 */
export const TURNS: readonly Lane[] = [
  ...Array.from({ length: 4 }, () => ["mutation", "read", "quote"] as const).flat(),
  "poll",
];

/**
 * The calls that wait for their turn. Within a lane, the first to come is the first to go. Lanes take turns, so that none
 * starves.
 */
export class WaitingLine<T extends { readonly turn: Turn }> implements Iterable<T> {
  readonly #lanes: Readonly<Record<Lane, T[]>> = { mutation: [], read: [], quote: [], poll: [] };
  readonly #turns = forever(TURNS);

  get isEmpty(): boolean {
    return Object.values(this.#lanes).every(({ length }) => length === 0);
  }

  /** A refused call keeps its place before all later calls. */
  add(item: T): void {
    const lane = this.#lanes[item.turn.lane];
    const before = lane.findLastIndex(({ turn }) => turn.number < item.turn.number);
    lane.splice(before + 1, 0, item);
  }

  /** Takes the next call out of the line. Undefined if none waits. */
  take(): T | undefined {
    for (let looked = 0; looked < TURNS.length; looked += 1) {
      const item = this.#lanes[this.#turns.next().value].shift();
      if (item) return item;
    }
    return undefined;
  }

  /** Takes out a call that gives up. */
  remove(item: T): void {
    const lane = this.#lanes[item.turn.lane];
    const index = lane.indexOf(item);
    if (index >= 0) lane.splice(index, 1);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const lane of Object.values(this.#lanes)) yield* [...lane];
  }
}

function* forever<T>(items: readonly T[]): Generator<T, never> {
  for (;;) yield* items;
}
