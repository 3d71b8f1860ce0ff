import type { Temporal } from "temporal-polyfill";
import { after, before, oneYearAfter } from "./duration";

const DAY_MS = 86_400_000;
const DEFAULT_WINDOW_DAYS = 30;

/** How a key is to live. */
export interface KeySchedule {
  readonly lifetime: Temporal.Duration;
  /** How long before its end a key is replaced; absent: the lesser of 30 days and a third of the lifetime. */
  readonly rotateBefore: Temporal.Duration | undefined;
}

/** The window of a key as it was planned. Times are epoch milliseconds. */
export interface PlannedWindow {
  readonly expiresAt: number;
  /** The UTC midnight that began the day it was planned on; absent for a key whose end was given as a date. */
  readonly plannedAt: number | undefined;
}

/** What a run finds of a key's schedule. */
export interface KeyPlan extends PlannedWindow {
  /** From when on a run replaces the key. */
  readonly rotatesAt: number;
  /** Whether this run does. Then the window is the new key's. */
  readonly due: boolean;
}

/**
 * The window of a key at this time: the one it has until the rotation is due, then a new one. Ends lie on a UTC midnight, so
 * that a preview and the update that follows it agree.
 */
export function planKey(schedule: KeySchedule, current: PlannedWindow | undefined, now: number): KeyPlan {
  if (current) {
    const rotatesAt = rotationOf(schedule, current);
    if (now < rotatesAt) return { ...current, rotatesAt, due: false };
  }
  const expiresAt = newEnd(schedule.lifetime, now);
  const plannedAt = startOfDay(now);
  return {
    expiresAt,
    plannedAt,
    rotatesAt: rotationOf(schedule, { expiresAt, plannedAt }),
    due: current !== undefined,
  };
}

/** When a key is due: before its end, or before the earlier end that a shorter lifetime would have given it. */
export function rotationOf(schedule: KeySchedule, { expiresAt, plannedAt }: PlannedWindow): number {
  // The day is known, not the hour: its last one never gives an earlier end than the window's own lifetime gave.
  const plannedEnd = plannedAt === undefined ? expiresAt : newEnd(schedule.lifetime, plannedAt + DAY_MS - 1);
  const end = Math.min(expiresAt, plannedEnd);
  if (schedule.rotateBefore) return before(end, schedule.rotateBefore);
  const third = (end - before(end, schedule.lifetime)) / 3;
  return end - Math.min(DEFAULT_WINDOW_DAYS * DAY_MS, third);
}

/** The first UTC midnight that gives the whole lifetime, but never more than the year that the API allows. */
function newEnd(lifetime: Temporal.Duration, now: number): number {
  const end = startOfDay(after(now, lifetime) + DAY_MS - 1);
  return end <= oneYearAfter(now) ? end : startOfDay(oneYearAfter(now));
}

/** The UTC midnight at or before a time. */
export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}
