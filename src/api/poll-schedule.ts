import type { Operation } from "./operation";

const FIRST_LOOK_MS = 100;
const SHORTEST_MS = 50;
const LONGEST_MS = 5_000;
/** Durations remembered per kind and type: enough for a median, few enough to follow a change. */
const REMEMBERED = 9;

/** How long operations took in this process, by kind and type. */
export class DurationHistory {
  readonly #durations = new Map<string, number[]>();

  /**
   * `notBeforeMs` and `waitedMs` are between which two looks it ended. The operation's own timestamps say it more finely,
   * where they are finer than a second.
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

/** When to look next, in milliseconds from now. Soon at first, then at growing intervals; about when it should be done. */
export function nextLookMs(waitedMs: number, expectedMs: number | undefined): number {
  if (expectedMs === undefined) return clamp(waitedMs / 2, FIRST_LOOK_MS, LONGEST_MS);
  if (waitedMs < expectedMs) return clamp(expectedMs * 1.02 - waitedMs, SHORTEST_MS, LONGEST_MS);
  return clamp(waitedMs * 0.15, SHORTEST_MS, LONGEST_MS);
}

/** The moment at or after `at` on a grid that is coarse enough for looks to coincide, and fine beside the interval. */
export function aligned(at: number, intervalMs: number): number {
  const grid = intervalMs < 400 ? 25 : intervalMs < 2_000 ? 100 : 500;
  return Math.ceil(at / grid) * grid;
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
