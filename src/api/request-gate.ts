import type { Clock } from "../clock";

/** Lets so many requests through at a time, first come first served, and none while the service asked for a pause. */
export class RequestGate {
  #free: number;
  #pausedUntil = 0;
  readonly #queue: (() => void)[] = [];

  constructor(
    capacity: number,
    private readonly clock: Clock,
  ) {
    this.#free = capacity;
  }

  /** How long the service's pause still lasts. */
  get pausedForMs(): number {
    return Math.max(0, this.#pausedUntil - this.clock.now());
  }

  /** Nobody passes for so long: the rate limit is the caller's, not the single request's. */
  pause(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.clock.now() + ms);
  }

  /**
   * Runs the task when it is its turn. Rejects with the reason of the patience's signal when that is aborted before.
   * `patience` is only asked for where there is something to wait for.
   */
  async run<T>(task: () => Promise<T>, patience: () => AbortSignal): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#queueUp(patience());
    try {
      while (this.pausedForMs > 0) await this.clock.sleep(this.pausedForMs, patience());
      return await task();
    } finally {
      this.#leave();
    }
  }

  #queueUp(signal: AbortSignal): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const enter = (): void => {
        signal.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = (): void => {
        this.#queue.splice(this.#queue.indexOf(enter), 1);
        reject(signal.reason as Error);
      };
      this.#queue.push(enter);
      signal.addEventListener("abort", giveUp, { once: true });
    });
  }

  #leave(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free += 1;
  }
}
