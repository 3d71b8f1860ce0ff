import type { Clock } from "../../../src/time/clock";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock for concurrent sleepers. Time moves to the next wake-up, once no other work is left. */
export class EventClock implements Clock {
  readonly #sleepers = new Set<Sleeper>();

  constructor(private time = Date.parse("2026-01-01T00:00:00Z")) {}

  now(): number {
    return this.time;
  }

  timeOfDay(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const onAbort = (): void => {
        this.#sleepers.delete(sleeper);
        reject(signal?.reason as Error);
      };
      const wake = (): void => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      };
      const sleeper = { at: this.time + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Advances the clock from wake-up to wake-up, by at most this many milliseconds, or until nobody sleeps. */
  async run(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await rest();
      const next = [...this.#sleepers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#sleepers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.time = Math.max(this.time, end);
  }
}

/** Waits until all promises that do not depend on time are settled. */
function rest(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
