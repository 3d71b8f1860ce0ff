/** An entry of an OrderedList: its position in the order of creation, and the value. */
export interface Entry<T> {
  readonly position: number;
  value: T;
}

const chunkSize = 512;

/**
 * Values in the order in which they were added. A binary search finds any position, so a page costs the same anywhere
 * in the list, even after many removals.
 */
export class OrderedList<T> {
  readonly #chunks: Entry<T>[][] = [];
  #size = 0;

  /** A list of values that never change. */
  static of<T>(values: readonly T[]): OrderedList<T> {
    const list = new OrderedList<T>();
    values.forEach((value, index) => {
      list.append({ position: index + 1, value });
    });
    return list;
  }

  get size(): number {
    return this.#size;
  }

  /** The oldest value. Undefined if there is none. */
  get first(): T | undefined {
    return this.#chunks[0]?.[0]?.value;
  }

  /** Adds a value at the end; positions must be given in ascending order. */
  append(entry: Entry<T>): void {
    const last = this.#chunks.at(-1);
    if (last && last.length < chunkSize) last.push(entry);
    else this.#chunks.push([entry]);
    this.#size += 1;
  }

  /** Removes the value at a position. Does nothing if there is none. */
  remove(position: number): void {
    const chunkIndex = this.#chunkBefore(position);
    const chunk = this.#chunks[chunkIndex];
    if (!chunk) return;
    const index = firstAfter(chunk, position, (entry) => entry) - 1;
    if (chunk[index]?.position !== position) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
    this.#size -= 1;
  }

  /** The entries behind a position, oldest first. */
  *after(position: number): Generator<Entry<T>> {
    let chunkIndex = Math.max(this.#chunkBefore(position), 0);
    let index = firstAfter(this.#chunks[chunkIndex] ?? [], position, (entry) => entry);
    for (; chunkIndex < this.#chunks.length; chunkIndex += 1, index = 0) {
      const chunk = this.#chunks[chunkIndex] ?? [];
      for (; index < chunk.length; index += 1) yield chunk[index] as Entry<T>;
    }
  }

  /** The entries before a position, newest first. */
  *before(position: number): Generator<Entry<T>> {
    let chunkIndex = this.#chunkBefore(position);
    let index = firstAfter(this.#chunks[chunkIndex] ?? [], position - 1, (entry) => entry) - 1;
    for (; chunkIndex >= 0; chunkIndex -= 1, index = (this.#chunks[chunkIndex]?.length ?? 0) - 1) {
      const chunk = this.#chunks[chunkIndex] ?? [];
      for (; index >= 0; index -= 1) yield chunk[index] as Entry<T>;
    }
  }

  /** The last chunk that begins at or before a position, or -1. */
  #chunkBefore(position: number): number {
    return firstAfter(this.#chunks, position, ([first]) => first) - 1;
  }
}

/** The index of the first entry behind a position. */
function firstAfter<T>(
  items: readonly T[],
  position: number,
  entryOf: (item: T) => Entry<unknown> | undefined,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((entryOf(items[middle] as T)?.position ?? Infinity) <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}
