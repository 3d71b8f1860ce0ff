import type { Clock } from "./clock";

/** For an answer that may be late by moments: the first pauses are short, and then one look every two seconds is enough. */
export const LATE_ANSWER_PAUSES = { firstPauseMs: 250, longestPauseMs: 2_000 };

interface PollSchedule {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** Each pause is this many times as long as the one before. Default: 2. */
  readonly factor?: number;
  /** The remaining time after pauses of `pausedMs` in total. The poll ends instead of a pause that is longer. */
  readonly leftMs: (pausedMs: number) => number;
}

/**
 * Calls `look` until `isDone`, with growing pauses. Resolves with the last answer, also if the time is over before `isDone`. Rejects
 * as `look` and the clock's sleep do.
 */
export async function pollUntil<T>(
  clock: Clock,
  { firstPauseMs, longestPauseMs, factor = 2, leftMs }: PollSchedule,
  look: () => Promise<T>,
  isDone: (answer: T) => boolean,
  onPause?: (answer: T) => void,
): Promise<T> {
  let pausedMs = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * factor, longestPauseMs)) {
    const answer = await look();
    if (isDone(answer) || pauseMs > leftMs(pausedMs)) return answer;
    onPause?.(answer);
    await clock.sleep(pauseMs);
    pausedMs += pauseMs;
  }
}
