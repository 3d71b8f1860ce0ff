/** The latest of many values. In a full buffer, a new value replaces the oldest. */
export class RingBuffer<T> {
  readonly #capacity: number;
  readonly #values: T[] = [];
  #oldest = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Adds a value, and returns the removed one. Undefined if there is room. */
  add(value: T): T | undefined {
    if (this.#values.length < this.#capacity) {
      this.#values.push(value);
      return undefined;
    }
    const removed = this.#values[this.#oldest];
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#capacity;
    return removed;
  }

  /** All values, oldest first. */
  list(): readonly T[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }
}
