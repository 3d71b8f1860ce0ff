/** Keeps the first few of all added values, in an order. */
export class FirstFew<T> {
  readonly #most: number;
  readonly #compare: (a: T, b: T) => number;
  readonly #values: T[] = [];

  /** `compare` is that of `Array.sort`; no two values may be equal by it. */
  constructor(most: number, compare: (a: T, b: T) => number) {
    this.#most = most;
    this.#compare = compare;
  }

  /** The kept values, in order. */
  get values(): readonly T[] {
    return this.#values;
  }

  add(value: T): void {
    const last = this.#values[this.#most - 1];
    if (last !== undefined && this.#compare(value, last) > 0) return;
    this.#values.splice(this.#indexOf(value), 0, value);
    if (this.#values.length > this.#most) this.#values.pop();
  }

  #indexOf(value: T): number {
    let low = 0;
    let high = this.#values.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(this.#values[middle] as T, value) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
