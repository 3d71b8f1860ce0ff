/** Time as a dependency: everything that waits or asks "now" takes a Clock, so that tests run without sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds, or earlier where they are more than a timer can hold (24 days); rejects with the signal's reason when it is aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A timer of Node with a longer time runs out at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const reasonOf = (aborted: AbortSignal): Error =>
        aborted.reason instanceof Error ? aborted.reason : new Error("aborted");
      if (signal?.aborted) {
        reject(reasonOf(signal));
        return;
      }
      const onAbort = (): void => {
        clearTimeout(timer);
        if (signal) reject(reasonOf(signal));
      };
      const timer = setTimeout(
        () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
        Math.min(ms, LONGEST_TIMER_MS),
      );
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
};
