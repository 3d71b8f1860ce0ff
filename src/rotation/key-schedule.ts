import type { Temporal } from "temporal-polyfill";
import { after, before } from "../time/calendar";
import { DAY_MS, oneYearAfter, startOfDay } from "../time/utc";

const DEFAULT_WINDOW_DAYS = 30;

/** The schedule of a key, as the program gives it. */
export interface KeySchedule {
  readonly lifetime: Temporal.Duration;
  /** How long before its end a key is replaced. Default: 30 days, or a third of the lifetime if that is less. */
  readonly rotateBefore: Temporal.Duration | undefined;
}

/** The planned end of a key. Times are epoch milliseconds. */
export interface PlannedEnd {
  readonly expiresAt: number;
  /** The start of the lifetime, as the key was planned. Undefined if no lifetime gave the end. */
  readonly start?: number | undefined;
}

/** The state of a key's schedule in a run. Times are epoch milliseconds. */
interface KeyPlan {
  readonly expiresAt: number;
  readonly start: number;
  /** When the rotation is due. */
  readonly rotatesAt: number;
  /** True if this run replaces the key. The other members are then those of the new key. */
  readonly due: boolean;
}

/**
 * Plans the end of a key: the present end until the rotation is due, then a new one. Ends are UTC midnights, so that a
 * preview and the update after it agree.
 */
export function planKey(schedule: KeySchedule, current: PlannedEnd | undefined, now: number): KeyPlan {
  if (current) {
    const { expiresAt, start = before(expiresAt, schedule.lifetime) } = current;
    const rotatesAt = rotationOf(schedule, current);
    if (now < rotatesAt) return { expiresAt, start, rotatesAt, due: false };
  }
  const expiresAt = newEnd(schedule.lifetime, now);
  const end = { expiresAt, start: before(expiresAt, schedule.lifetime) };
  return { ...end, rotatesAt: rotationOf(schedule, end), due: current !== undefined };
}

/**
 * The time at which the rotation is due: as if the key had had this schedule from the start, but before its own end.
 * All lengths are measured back from that end, because months have different lengths.
 */
export function rotationOf(schedule: KeySchedule, { expiresAt, start }: PlannedEnd): number {
  const lifetimeMs = expiresAt - before(expiresAt, schedule.lifetime);
  const end = start === undefined ? expiresAt : Math.min(expiresAt, start + lifetimeMs);
  return end - windowOf(schedule, expiresAt);
}

/** The window before the end of a key, in milliseconds. */
export function windowOf({ lifetime, rotateBefore }: KeySchedule, expiresAt: number): number {
  if (rotateBefore) return expiresAt - before(expiresAt, rotateBefore);
  const third = Math.floor((expiresAt - before(expiresAt, lifetime)) / 3);
  return Math.min(DEFAULT_WINDOW_DAYS * DAY_MS, third);
}

/** The first UTC midnight after the whole lifetime, but at most a year from now, which is the API's limit. */
function newEnd(lifetime: Temporal.Duration, now: number): number {
  const end = startOfDay(after(now, lifetime) + DAY_MS - 1);
  return end <= oneYearAfter(now) ? end : startOfDay(oneYearAfter(now));
}
