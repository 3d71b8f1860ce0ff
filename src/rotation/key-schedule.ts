import type { Temporal } from "temporal-polyfill";
import { after, before } from "./calendar";
import { DAY_MS, oneYearAfter, startOfDay } from "../process/utc";

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
  /** The plan of the last run. Absent if the program gave the end as a date. */
  readonly last?: { readonly schedule: KeySchedule; readonly rotatesAt: number } | undefined;
}

/** The state of a key's schedule in a run. Times are epoch milliseconds. */
interface KeyPlan {
  readonly expiresAt: number;
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
    const rotatesAt = rotationOf(schedule, current);
    if (now < rotatesAt) return { expiresAt: current.expiresAt, rotatesAt, due: false };
  }
  const end = { expiresAt: newEnd(schedule.lifetime, now) };
  return { ...end, rotatesAt: rotationOf(schedule, end), due: current !== undefined };
}

/**
 * The time at which the rotation is due: the window before the key's end, or before an earlier end if the program has
 * shortened the lifetime. The last plan shows with which end it counted.
 */
export function rotationOf(schedule: KeySchedule, { expiresAt, last }: PlannedEnd): number {
  const windowMs = windowOf(schedule, expiresAt);
  if (!last) return expiresAt - windowMs;
  const countedEnd = Math.min(expiresAt, last.rotatesAt + windowOf(last.schedule, expiresAt));
  const longerByMs = before(expiresAt, last.schedule.lifetime) - before(expiresAt, schedule.lifetime);
  return Math.min(expiresAt, countedEnd + longerByMs) - windowMs;
}

/** The window before an end in milliseconds. Months have different lengths, so it depends on the end. */
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
