/** An entry of an OrderedList: its place in the order of creation, and the value. */
export interface Entry<T> {
  readonly place: number;
  value: T;
}

const chunkSize = 512;

/**
 * Values in the order of their addition. A binary search finds any place, so a page costs the same at any place of the list,
 * even after many removals.
 */
export class OrderedList<T> {
  readonly #chunks: Entry<T>[][] = [];
  #size = 0;

  /** A list of values that never change. */
  static of<T>(values: readonly T[]): OrderedList<T> {
    const list = new OrderedList<T>();
    values.forEach((value, index) => {
      list.append({ place: index + 1, value });
    });
    return list;
  }

  get size(): number {
    return this.#size;
  }

  /** Adds a value at the end; places must be given in ascending order. */
  append(entry: Entry<T>): void {
    const last = this.#chunks.at(-1);
    if (last && last.length < chunkSize) last.push(entry);
    else this.#chunks.push([entry]);
    this.#size += 1;
  }

  /** Removes the value at a place; nothing happens when there is none. */
  remove(place: number): void {
    const chunkIndex = this.#chunkBefore(place);
    const chunk = this.#chunks[chunkIndex];
    if (!chunk) return;
    const index = firstAfter(chunk, place) - 1;
    if (chunk[index]?.place !== place) return;
    chunk.splice(index, 1);
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
    this.#size -= 1;
  }

  /** The entries behind a place, oldest first. */
  *after(place: number): Generator<Entry<T>> {
    let chunkIndex = Math.max(this.#chunkBefore(place), 0);
    let index = firstAfter(this.#chunks[chunkIndex] ?? [], place);
    for (; chunkIndex < this.#chunks.length; chunkIndex += 1, index = 0) {
      const chunk = this.#chunks[chunkIndex] ?? [];
      for (; index < chunk.length; index += 1) yield chunk[index] as Entry<T>;
    }
  }

  /** The entries before a place, newest first. */
  *before(place: number): Generator<Entry<T>> {
    let chunkIndex = this.#chunkBefore(place);
    let index = firstAfter(this.#chunks[chunkIndex] ?? [], place - 1) - 1;
    for (; chunkIndex >= 0; chunkIndex -= 1, index = (this.#chunks[chunkIndex]?.length ?? 0) - 1) {
      const chunk = this.#chunks[chunkIndex] ?? [];
      for (; index >= 0; index -= 1) yield chunk[index] as Entry<T>;
    }
  }

  /** The last chunk that begins at or before a place, or -1. */
  #chunkBefore(place: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.[0]?.place ?? Infinity) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}

/** The index of the first entry behind a place. */
function firstAfter(chunk: readonly Entry<unknown>[], place: number): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunk[middle]?.place ?? Infinity) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
