/** The time source of the simulator: the machine's clock, or a test's own. */
export interface BaseClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

const longestAdvanceMs = 100 * 366 * 24 * 3_600_000;

/** The service's clock: it runs with a base clock, plus the time added through the control port. */
export class SimulatedClock {
  readonly #base: BaseClock;
  #advancedMs = 0;

  constructor(base: BaseClock) {
    this.#base = base;
  }

  /** Milliseconds since the epoch. */
  now(): number {
    return Math.trunc(this.#base.now()) + this.#advancedMs;
  }

  /** Moves the clock forward; false, and no move, when that is back in time or more than a century in all. */
  advance(ms: number): boolean {
    const advancedMs = this.#advancedMs + Math.round(ms);
    if (!(ms >= 0) || advancedMs > longestAdvanceMs) return false;
    this.#advancedMs = advancedMs;
    return true;
  }

  /** Forgets the added time. */
  reset(): void {
    this.#advancedMs = 0;
  }
}
