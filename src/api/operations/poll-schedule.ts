import type { Operation } from "./operation";

const FIRST_LOOK_MS = 100;
const SHORTEST_MS = 50;
const LONGEST_MS = 5_000;
/** How many looks a long operation gets in the time that it should take: it may fail early, and the row shows that it goes on. */
const LOOKS_BEFOREHAND = 4;
/** How much later a look may be than it would be alone, as a part of how long the operation takes. */
const SLACK = { share: 0.05, shortestMs: 50, longestMs: 500 };
/** The same if there were many looks: each has to see more. */
const FRUGAL_SLACK = { share: 0.2, shortestMs: 100, longestMs: 2_000 };
/** Durations remembered per kind and type: enough for a median, few enough to follow a change. */
const REMEMBERED = 9;

/** How long operations took in this process, by kind and type. */
export class DurationHistory {
  readonly #durations = new Map<string, number[]>();

  /**
   * `notBeforeMs` and `waitedMs` are between which two looks it ended. The operation's own timestamps say it more finely,
   * if they are finer than a second.
   */
  record(operation: Operation, notBeforeMs: number, waitedMs: number): void {
    const bySelf = Date.parse(operation.updated_at) - Date.parse(operation.created_at);
    const durationMs = Math.min(waitedMs, Math.max(notBeforeMs, bySelf));
    const known = this.#durations.get(keyOf(operation)) ?? [];
    this.#durations.set(keyOf(operation), [...known.slice(1 - REMEMBERED), durationMs]);
  }

  /** The median, or `undefined` before the first. */
  expectedMs(operation: Operation): number | undefined {
    const known = [...(this.#durations.get(keyOf(operation)) ?? [])].sort((a, b) => a - b);
    return known[Math.floor(known.length / 2)];
  }
}

function keyOf({ kind, type }: Operation): string {
  return `${kind}/${type}`;
}

/** When to look at an operation next. */
export interface NextLook {
  /** Milliseconds from now: soon at first, then at growing intervals; about when it should be done. */
  readonly afterMs: number;
  /** How much later it may be, if others are due by then: one look sees them all. */
  readonly slackMs: number;
}

/** When to look at an operation that has been waited for so long, and of whose kind others have taken `expectedMs`. */
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
