import type { Clock } from "./clock";

export interface PollSchedule {
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
  /** How many times as long each pause is as the one before. Default: 2. */
  readonly factor?: number;
  /** The time left after pauses of this length together. A poll ends before a pause that is longer. */
  readonly leftMs: (pausedMs: number) => number;
}

/**
 * Looks until `isDone`, with pauses that grow. Resolves with the last answer, also if it is not the awaited one when the time is over.
 * Rejects as `look` does, and as the clock's sleep.
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
