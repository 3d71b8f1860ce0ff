import type { SimulatedClock } from "./simulated-clock";

/** A bucket of as many requests as a second has, filled again as the clock runs. */
export class RateLimit {
  readonly #clock: SimulatedClock;
  readonly #perSecond: number;
  #left: number;
  #filledAtMs: number;

  constructor(clock: SimulatedClock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#left = this.#capacity;
    this.#filledAtMs = clock.now();
  }

  /** Lets a request through, or tells for how many whole seconds it should wait. */
  take(): { readonly retryAfterSeconds: number } | undefined {
    const nowMs = this.#clock.now();
    const gained = (Math.max(nowMs - this.#filledAtMs, 0) / 1000) * this.#perSecond;
    this.#left = Math.min(this.#left + gained, this.#capacity);
    this.#filledAtMs = nowMs;
    if (this.#left < 1) return { retryAfterSeconds: Math.max(1, Math.ceil((1 - this.#left) / this.#perSecond)) };
    this.#left -= 1;
    return undefined;
  }

  get #capacity(): number {
    return Math.max(1, this.#perSecond);
  }
}
