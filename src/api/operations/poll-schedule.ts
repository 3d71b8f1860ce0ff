import type { Operation } from "./operation";

const FIRST_POLL_MS = 250;
const MIN_PAUSE_MS = 50;
const MAX_PAUSE_MS = 5_000;
/** The latest first poll of an operation whose duration is unknown. */
const LATEST_FIRST_POLL_MS = 2_000;
/** If the duration is unknown, the next poll comes after this share of the time waited. */
const UNKNOWN_SHARE = 0.125;
/** The shortest interval if the duration is unknown. */
const MIN_UNKNOWN_PAUSE_MS = 150;
/** The number of polls of a long operation in its expected time: it may fail early, and the row shows progress. */
const POLLS_BEFOREHAND = 4;
/** How long a poll may wait so that it sees more operations, as a share of the operation's duration. */
const SLACK = { share: 0.03, shortestMs: 25, longestMs: 500 };
/**
 * The slack if there were many polls for few ended operations. It is longer, so that each poll sees more operations.
 */
const LONGER_SLACK = { share: 0.2, shortestMs: 75, longestMs: 1_500 };
/** The poll comes later than expected by this share, because an operation begins a little after its request. */
const MARGIN = 0.01;
/** The number of durations that are kept for each kind and type: enough for a median, few enough to follow a change. */
const REMEMBERED = 9;

/** True if the first duration of operations like this one has just become known. */
type IsLearned = (operation: Operation) => boolean;

export class DurationHistory {
  readonly #durations = new Map<string, number[]>();
  readonly #shortestMs = new Map<string, number>();
  readonly #probers = new Map<string, object>();
  readonly #onLearned: ((isLearned: IsLearned) => void)[] = [];

  /**
   * Records that the operation ended between the polls at `notBeforeMs` and `waitedMs`. Its own timestamps give the
   * duration if they lie in between.
   */
  record(operation: Operation, notBeforeMs: number, waitedMs: number): void {
    const bySelf = Date.parse(operation.updated_at) - Date.parse(operation.created_at);
    // If a poll saw it running for longer than that, its timestamps do not show the whole duration.
    const durationMs = bySelf > notBeforeMs ? Math.min(waitedMs, bySelf) : (notBeforeMs + waitedMs) / 2;
    const known = this.#durations.get(keyOf(operation)) ?? [];
    this.#durations.set(keyOf(operation), [...known.slice(1 - REMEMBERED), durationMs]);
    this.#shortestMs.set(operation.type, Math.min(this.#shortestMs.get(operation.type) ?? durationMs, durationMs));
    if (known.length > 0) return;
    for (const learn of this.#onLearned) learn((other) => keyOf(other) === keyOf(operation));
  }

  /** Calls back when the first duration of a kind and type is known. */
  onLearned(learn: (isLearned: IsLearned) => void): void {
    this.#onLearned.push(learn);
  }

  /**
   * When to poll first, if the duration is unknown. The estimate is the shortest duration of operations of the same
   * type, such as creations, of other kinds. Only the first poller that asks for a kind uses it. The others wait
   * longer, until that one has found out the duration.
   */
  firstPollMs(operation: Operation, poller: object): number {
    const prober = this.#probers.get(keyOf(operation)) ?? poller;
    this.#probers.set(keyOf(operation), prober);
    if (prober !== poller) return LATEST_FIRST_POLL_MS;
    return clamp(this.#shortestMs.get(operation.type) ?? 0, FIRST_POLL_MS, LATEST_FIRST_POLL_MS);
  }

  /** The median duration. Undefined if none is known. */
  expectedMs(operation: Operation): number | undefined {
    const known = [...(this.#durations.get(keyOf(operation)) ?? [])].sort((a, b) => a - b);
    return known[Math.floor(known.length / 2)];
  }
}

function keyOf({ kind, type }: Operation): string {
  return `${kind}/${type}`;
}

interface NextPoll {
  /**
   * Milliseconds from now. Without a known duration, the intervals grow. With one, the poll comes about when the
   * operation should end.
   */
  readonly afterMs: number;
  /** How much later it may be if other operations are due until then, because one poll sees them all. */
  readonly slackMs: number;
}

interface Expectation {
  /** The median of its kind and type. */
  readonly expectedMs: number | undefined;
  /** The time of the first poll if there is no median. */
  readonly firstPollMs: number;
}

export function nextPoll(
  waitedMs: number,
  { expectedMs, firstPollMs }: Expectation,
  hasPolledOften: boolean,
): NextPoll {
  const { share, shortestMs, longestMs } = hasPolledOften ? LONGER_SLACK : SLACK;
  const slackMs = clamp(Math.max(waitedMs, expectedMs ?? 0) * share, shortestMs, longestMs);
  const isFirst = expectedMs === undefined && waitedMs < firstPollMs;
  return { afterMs: isFirst ? firstPollMs - waitedMs : intervalMs(waitedMs, expectedMs), slackMs };
}

function intervalMs(waitedMs: number, expectedMs: number | undefined): number {
  if (expectedMs === undefined) return clamp(waitedMs * UNKNOWN_SHARE, MIN_UNKNOWN_PAUSE_MS, MAX_PAUSE_MS);
  if (waitedMs < expectedMs * (1 + MARGIN)) {
    return clamp(
      expectedMs * (1 + MARGIN) - waitedMs,
      MIN_PAUSE_MS,
      Math.max(MAX_PAUSE_MS, expectedMs / POLLS_BEFOREHAND),
    );
  }
  return clamp(waitedMs * 0.1, MIN_PAUSE_MS, MAX_PAUSE_MS);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
