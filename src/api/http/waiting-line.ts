/**
 * What a request is for, and its share of the turns while others wait too. Changes, what follows them and the prices that a
 * preview waits for come alike; a look at operations can wait, since the next one sees all of them together.
 */
export const lanes = { mutation: 4, read: 4, quote: 4, poll: 1 } as const satisfies Record<string, number>;
export type Lane = keyof typeof lanes;

/** A call's place: by what it is for, and by when it came. */
export interface Place {
  readonly lane: Lane;
  /** Grows with each call. */
  readonly number: number;
}

interface Queue<T> {
  readonly share: number;
  /** How far the lane has come; the lane that is least far is next. */
  position: number;
  readonly items: T[];
}

/** Who waits for a turn. Within a lane first come first served; between lanes by their shares, so that none starves. */
export class WaitingLine<T extends { readonly place: Place }> implements Iterable<T> {
  readonly #queues = Object.fromEntries(
    Object.entries(lanes).map(([lane, share]) => [lane, { share, position: 0, items: [] }]),
  ) as unknown as Readonly<Record<Lane, Queue<T>>>;
  #position = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** A call that comes again after a refusal stands where it stood: before all that came later. */
  add(item: T): void {
    const queue = this.#queues[item.place.lane];
    // A lane that was empty has saved up nothing.
    if (queue.items.length === 0) queue.position = Math.max(queue.position, this.#position);
    const before = queue.items.findLastIndex(({ place }) => place.number < item.place.number);
    queue.items.splice(before + 1, 0, item);
    this.#size += 1;
  }

  /** Takes the next one out of the line. */
  take(): T | undefined {
    const waiting = Object.values(this.#queues).filter(({ items }) => items.length > 0);
    const [first, ...others] = waiting;
    if (!first) return undefined;
    const queue = others.reduce((least, other) => (other.position < least.position ? other : least), first);
    this.#position = queue.position;
    queue.position += 1 / queue.share;
    this.#size -= 1;
    return queue.items.shift();
  }

  /** Takes out one that gives up; false where it is not in the line. */
  remove(item: T): boolean {
    const { items } = this.#queues[item.place.lane];
    const index = items.indexOf(item);
    if (index < 0) return false;
    items.splice(index, 1);
    this.#size -= 1;
    return true;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const { items } of Object.values(this.#queues)) yield* [...items];
  }
}
