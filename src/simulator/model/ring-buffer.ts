/** The latest of many values: one that is added to a full buffer takes the place of the oldest. */
export class RingBuffer<T> {
  readonly #capacity: number;
  readonly #values: T[] = [];
  #oldest = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a value, and gives the one that had to go; undefined as long as there is room. */
  add(value: T): T | undefined {
    if (this.#values.length < this.#capacity) {
      this.#values.push(value);
      return undefined;
    }
    const gone = this.#values[this.#oldest];
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#capacity;
    return gone;
  }

  /** All values, oldest first. */
  list(): readonly T[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }
}
