import type { SimulatedClock } from "./time";

/** For each caller a bucket with one second's requests, refilled as the clock runs. Undefined: no limit. */
export class RateLimit {
  readonly #buckets = new Map<string, { readonly left: number; readonly filledAtMs: number }>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly perSecond: number | undefined,
  ) {}

  /** Accepts a request of a caller, or returns the whole seconds that the caller should wait. */
  take(callerId: string): { readonly retryAfterSeconds: number } | undefined {
    const { perSecond } = this;
    if (perSecond === undefined) return undefined;
    const nowMs = this.clock.now();
    const capacity = Math.max(1, perSecond);
    const { left, filledAtMs } = this.#buckets.get(callerId) ?? { left: capacity, filledAtMs: nowMs };
    const gained = (Math.max(nowMs - filledAtMs, 0) / 1000) * perSecond;
    const filled = Math.min(left + gained, capacity);
    const isTaken = filled >= 1;
    this.#buckets.set(callerId, { left: isTaken ? filled - 1 : filled, filledAtMs: nowMs });
    return isTaken ? undefined : { retryAfterSeconds: Math.max(1, Math.ceil((1 - filled) / perSecond)) };
  }

  clear(): void {
    this.#buckets.clear();
  }
}
