import type { SimulatedClock } from "./time";

interface Bucket {
  left: number;
  filledAtMs: number;
}

/** For each caller a bucket with one second's requests, refilled as the clock runs. Undefined: no limit. */
export class RateLimit {
  readonly #buckets = new Map<string, Bucket>();

  constructor(
    private readonly clock: SimulatedClock,
    private readonly perSecond: number | undefined,
  ) {}

  /** Accepts a request of a caller, or returns the whole seconds that the caller should wait. */
  take(callerId: string): { readonly retryAfterSeconds: number } | undefined {
    if (this.perSecond === undefined) return undefined;
    const bucket = this.#filled(callerId, this.perSecond);
    if (bucket.left < 1) return { retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.left) / this.perSecond)) };
    bucket.left -= 1;
    return undefined;
  }

  clear(): void {
    this.#buckets.clear();
  }

  #filled(callerId: string, perSecond: number): Bucket {
    const nowMs = this.clock.now();
    const capacity = Math.max(1, perSecond);
    const { left, filledAtMs } = this.#buckets.get(callerId) ?? { left: capacity, filledAtMs: nowMs };
    const gained = (Math.max(nowMs - filledAtMs, 0) / 1000) * perSecond;
    const bucket = { left: Math.min(left + gained, capacity), filledAtMs: nowMs };
    this.#buckets.set(callerId, bucket);
    return bucket;
  }
}
