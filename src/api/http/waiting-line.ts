/** What a request is for. */
export type Lane = "mutation" | "read" | "quote" | "poll";

/** A call's claim to be sent: what it is for, and when it came. It is kept for all attempts of the call. */
export interface Turn {
  readonly lane: Lane;
  /** Grows with each call. */
  readonly number: number;
}

/**
 * Whose turn it is while several lanes wait. Changes, reads and the prices that a preview waits for come alike; a look at
 * operations can wait, since the next one sees all of them together.
 */
export const TURNS: readonly Lane[] = [
  ...Array.from({ length: 4 }, () => ["mutation", "read", "quote"] as const).flat(),
  "poll",
];

/** The calls that wait to be sent. Within a lane first come first served; between lanes in turn, so that none starves. */
export class WaitingLine<T extends { readonly turn: Turn }> implements Iterable<T> {
  readonly #lanes: Readonly<Record<Lane, T[]>> = { mutation: [], read: [], quote: [], poll: [] };
  readonly #turns = forever(TURNS);

  get isEmpty(): boolean {
    return Object.values(this.#lanes).every(({ length }) => length === 0);
  }

  /** A call that comes again after a refusal stands where it stood: before all that came later. */
  add(item: T): void {
    const lane = this.#lanes[item.turn.lane];
    const before = lane.findLastIndex(({ turn }) => turn.number < item.turn.number);
    lane.splice(before + 1, 0, item);
  }

  /** Takes the next one out of the line; `undefined` if nobody waits. */
  take(): T | undefined {
    for (let looked = 0; looked < TURNS.length; looked += 1) {
      const item = this.#lanes[this.#turns.next().value].shift();
      if (item) return item;
    }
    return undefined;
  }

  /** Takes out one that gives up. */
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
