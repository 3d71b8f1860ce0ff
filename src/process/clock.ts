import { setTimeout } from "node:timers/promises";

/** Time as a dependency. Everything that waits or asks for the time takes a Clock, so tests run without sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. It never jumps while a process runs. */
  now(): number;
  /**
   * Resolves after `ms` milliseconds, but at the latest after the longest time of a timer (24 days). Rejects with the signal's
   * reason if it is aborted first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** With a longer time, a timer of Node ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. If the system corrects its time, this one goes on as it was: times of one run can be compared. */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
    } catch (error) {
      throw signal?.reason instanceof Error ? signal.reason : error;
    }
  },
};

/** A clock whose sleepers all wake with the signal's reason when it is aborted. */
export function endedBy(signal: AbortSignal, clock: Clock): Clock {
  return {
    now: () => clock.now(),
    sleep: (ms, own) => clock.sleep(ms, own ? AbortSignal.any([own, signal]) : signal),
  };
}
