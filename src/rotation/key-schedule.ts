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
  /** The lifetime in the plan. Absent if the program gave the end as a date. */
  readonly lifetime: Temporal.Duration | undefined;
  /** The rotation that was planned with this schedule. */
  readonly rotatesAt?: number | undefined;
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
 * Plans the end of a key: the present end until the rotation is due, then a new one. Ends are UTC midnights, so that a preview and the
 * update after it agree.
 */
export function planKey(schedule: KeySchedule, current: PlannedEnd | undefined, now: number): KeyPlan {
  if (current) {
    const rotatesAt = Math.min(rotationOf(schedule, current), current.rotatesAt ?? Infinity);
    if (now < rotatesAt) return { expiresAt: current.expiresAt, rotatesAt, due: false };
  }
  const end = { expiresAt: newEnd(schedule.lifetime, now), lifetime: schedule.lifetime };
  return { expiresAt: end.expiresAt, rotatesAt: rotationOf(schedule, end), due: current !== undefined };
}

/** The time at which the rotation is due. If the program has shortened the lifetime, the earlier end counts. */
export function rotationOf(schedule: KeySchedule, { expiresAt, lifetime }: PlannedEnd): number {
  const isOwn = lifetime === undefined || lifetime.toString() === schedule.lifetime.toString();
  const end = isOwn ? expiresAt : Math.min(expiresAt, after(before(expiresAt, lifetime), schedule.lifetime));
  if (schedule.rotateBefore) return before(end, schedule.rotateBefore);
  const third = (end - before(end, schedule.lifetime)) / 3;
  return end - Math.min(DEFAULT_WINDOW_DAYS * DAY_MS, third);
}

/** The first UTC midnight after the whole lifetime, but at most a year from now, which is the API's limit. */
function newEnd(lifetime: Temporal.Duration, now: number): number {
  const end = startOfDay(after(now, lifetime) + DAY_MS - 1);
  return end <= oneYearAfter(now) ? end : startOfDay(oneYearAfter(now));
}
