import ms from "ms";
import { setTimeout } from "node:timers/promises";

/** Time as a dependency. All code that waits or reads the time takes a Clock, so that tests run without sleeping. */
export interface Clock {
  /** Milliseconds since the epoch. It never jumps while a process runs. */
  now(): number;
  /**
   * The machine's time of day in epoch milliseconds. It may jump: a correction changes it, and unlike `now` it goes on
   * while the machine sleeps. For times that a later process compares with its own.
   */
  timeOfDay(): number;
  /**
   * Resolves after `ms` milliseconds, or after the longest time of a timer (24 days) if that is less. Rejects with the
   * signal's reason if it is aborted first.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Times of different clocks are compared with this tolerance. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** A timer of Node with a longer time would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * The machine's clock at the start of the process. Later corrections of the system's time do not change it, so that the
 * times of one run can be compared.
 */
export const systemClock: Clock = {
  now: () => Math.floor(performance.timeOrigin + performance.now()),
  timeOfDay: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await setTimeout(Math.min(Math.max(ms, 0), MAX_TIMER_MS), undefined, { signal });
    } catch (error) {
      throw signal?.reason instanceof Error ? signal.reason : error;
    }
  },
};

/** A clock whose sleeps reject with the signal's reason when the signal is aborted. */
export function endedBy(signal: AbortSignal, clock: Clock): Clock {
  return {
    now: () => clock.now(),
    timeOfDay: () => clock.timeOfDay(),
    sleep: (ms, own) => clock.sleep(ms, own ? AbortSignal.any([own, signal]) : signal),
  };
}

/**
 * A larger difference of the clocks is worth a warning: the API's clock decides when keys start and expire, and
 * certificates and tokens fail too.
 */
export const TOLERATED_SKEW_MS = 5 * 60_000;

export function skewText(skewMs: number): string {
  return `${ms(Math.abs(skewMs), { long: true })} ${skewMs > 0 ? "behind" : "ahead of"} the API's`;
}

/**
 * For an answer that may be late by moments: the first pauses are short, and then one look every two seconds is enough.
 */
export const LATE_ANSWER_PAUSES = { firstPauseMs: 250, longestPauseMs: 2_000 };

/** The pauses of a poll, and its end by the clock, or the time that is left after pauses of `pausedMs` in total. */
type PollSchedule = {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Each pause is this many times as long as the one before. Default: 2. */
  readonly factor?: number;
} & ({ readonly endsAt: number } | { readonly leftMs: (pausedMs: number) => number });

/**
 * Calls `look` until `isDone`, with growing pauses. It ends before a pause for which no time is left. Resolves with the
 * last answer, also if that is not `isDone`. Rejects as `look` and the clock's sleep do.
 */
export async function pollUntil<T>(
  clock: Clock,
  schedule: PollSchedule,
  look: () => Promise<T>,
  isDone: (answer: T) => boolean,
  onPause?: (answer: T) => void,
): Promise<T> {
  const { firstPauseMs, longestPauseMs, factor = 2 } = schedule;
  const leftMs = "leftMs" in schedule ? schedule.leftMs : () => schedule.endsAt - clock.now();
  let pausedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * factor, longestPauseMs)) {
    const answer = await look();
    if (isDone(answer) || pauseMs > leftMs(pausedMs)) return answer;
    onPause?.(answer);
    await clock.sleep(pauseMs);
    pausedMs += pauseMs;
  }
}
