import type { SimulatedClock } from "./time";

interface Bucket {
  left: number;
  filledAtMs: number;
}

/** For each caller a bucket of as many requests as a second has, filled again as the clock runs. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly perSecond: number,
  ) {}

  /** Accepts a request of a caller, or returns the whole seconds that the caller should wait. */
  take(callerId: string): { readonly retryAfterSeconds: number } | undefined {
    const bucket = this.#filled(callerId);
    if (bucket.left < 1) return { retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.left) / this.perSecond)) };
    bucket.left -= 1;
    return undefined;
  }

  #filled(callerId: string): Bucket {
    const nowMs = this.clock.now();
    const capacity = Math.max(1, this.perSecond);
    const { left, filledAtMs } = this.#buckets.get(callerId) ?? { left: capacity, filledAtMs: nowMs };
    const gained = (Math.max(nowMs - filledAtMs, 0) / 1000) * this.perSecond;
    const bucket = { left: Math.min(left + gained, capacity), filledAtMs: nowMs };
    this.#buckets.set(callerId, bucket);
    return bucket;
  }
}
