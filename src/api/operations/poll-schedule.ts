import type { Operation } from "./operation";

const FIRST_LOOK_MS = 100;
const SHORTEST_MS = 50;
const LONGEST_MS = 5_000;
/** The number of polls of a long operation in its expected time: it may fail early, and the row shows progress. */
const LOOKS_BEFOREHAND = 4;
/** The most that a poll may be late for the sake of others, as a part of the operation's duration. */
const SLACK = { share: 0.05, shortestMs: 50, longestMs: 500 };
/** The same after many polls: each must see more operations. */
const FRUGAL_SLACK = { share: 0.2, shortestMs: 100, longestMs: 2_000 };
/** The number of durations that are kept for each kind and type: enough for a median, few enough to follow a change. */
const REMEMBERED = 9;

/** The durations of operations in this process, by kind and type. */
export class DurationHistory {
  readonly #durations = new Map<string, number[]>();

  /**
   * The operation ended between the polls at `notBeforeMs` and `waitedMs`. Its own timestamps are used if they are finer than
   * a second.
   */
  record(operation: Operation, notBeforeMs: number, waitedMs: number): void {
    const bySelf = Date.parse(operation.updated_at) - Date.parse(operation.created_at);
    const durationMs = Math.min(waitedMs, Math.max(notBeforeMs, bySelf));
    const known = this.#durations.get(keyOf(operation)) ?? [];
    this.#durations.set(keyOf(operation), [...known.slice(1 - REMEMBERED), durationMs]);
  }

  /** The median. Undefined without a duration. */
  expectedMs(operation: Operation): number | undefined {
    const known = [...(this.#durations.get(keyOf(operation)) ?? [])].sort((a, b) => a - b);
    return known[Math.floor(known.length / 2)];
  }
}

function keyOf({ kind, type }: Operation): string {
  return `${kind}/${type}`;
}

/** The time of an operation's next poll. */
export interface NextLook {
  /** Milliseconds from now: soon at first, then at growing intervals, and about when it should be done. */
  readonly afterMs: number;
  /** How much later it may be if other operations are due by then, because one poll sees them all. */
  readonly slackMs: number;
}

/** The next poll of an operation after this wait, if others of its kind took `expectedMs`. */
export function nextLook(waitedMs: number, expectedMs: number | undefined, isFrugal: boolean): NextLook {
  const { share, shortestMs, longestMs } = isFrugal || expectedMs === undefined ? FRUGAL_SLACK : SLACK;
  const slackMs = clamp(Math.max(waitedMs, expectedMs ?? 0) * share, shortestMs, longestMs);
  return { afterMs: intervalMs(waitedMs, expectedMs), slackMs };
}

function intervalMs(waitedMs: number, expectedMs: number | undefined): number {
  if (expectedMs === undefined) return clamp(waitedMs / 2, FIRST_LOOK_MS, LONGEST_MS);
  if (waitedMs < expectedMs) {
    return clamp(expectedMs - waitedMs, SHORTEST_MS, Math.max(LONGEST_MS, expectedMs / LOOKS_BEFOREHAND));
  }
  return clamp(waitedMs * 0.15, SHORTEST_MS, LONGEST_MS);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
