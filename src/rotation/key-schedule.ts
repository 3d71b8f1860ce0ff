import type { Temporal } from "temporal-polyfill";
import { after, before, oneYearAfter } from "./calendar";
import { startOfDay } from "./utc";

const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;

/** How a key is to live. */
export interface KeySchedule {
  readonly lifetime: Temporal.Duration;
  /** How long before its end a key is replaced; absent: the lesser of 30 days and a third of the lifetime. */
  readonly rotateBefore: Temporal.Duration | undefined;
}

/** A key's end as it was planned. Times are epoch milliseconds. */
export interface PlannedEnd {
  readonly expiresAt: number;
  /** The lifetime it was planned with; absent for a key whose end was given as a date. */
  readonly lifetime: Temporal.Duration | undefined;
}

/** What a run finds of a key's schedule. Times are epoch milliseconds. */
export interface KeyPlan {
  readonly expiresAt: number;
  /** From when on a run replaces the key. */
  readonly rotatesAt: number;
  /** Whether this run does. Then the other members are the new key's. */
  readonly due: boolean;
}

/**
 * The end of a key at this time: the one it has until the rotation is due, then a new one. Ends lie on a UTC midnight, so
 * that a preview and the update that follows it agree.
 */
export function planKey(schedule: KeySchedule, current: PlannedEnd | undefined, now: number): KeyPlan {
  if (current) {
    const rotatesAt = rotationOf(schedule, current);
    if (now < rotatesAt) return { expiresAt: current.expiresAt, rotatesAt, due: false };
  }
  const end = { expiresAt: newEnd(schedule.lifetime, now), lifetime: schedule.lifetime };
  return { expiresAt: end.expiresAt, rotatesAt: rotationOf(schedule, end), due: current !== undefined };
}

/** When a key is due: before its end, or before the earlier end that a shorter lifetime would have given it. */
export function rotationOf(schedule: KeySchedule, { expiresAt, lifetime }: PlannedEnd): number {
  const isOwn = lifetime === undefined || lifetime.toString() === schedule.lifetime.toString();
  const end = isOwn ? expiresAt : Math.min(expiresAt, after(before(expiresAt, lifetime), schedule.lifetime));
  if (schedule.rotateBefore) return before(end, schedule.rotateBefore);
  const third = (end - before(end, schedule.lifetime)) / 3;
  return end - Math.min(DEFAULT_WINDOW_DAYS * DAY_MS, third);
}

/** The first UTC midnight that gives the whole lifetime, but never more than the year that the API allows. */
function newEnd(lifetime: Temporal.Duration, now: number): number {
  const end = startOfDay(after(now, lifetime) + DAY_MS - 1);
  return end <= oneYearAfter(now) ? end : startOfDay(oneYearAfter(now));
}
