import { Temporal } from "temporal-polyfill";
import { durationMs } from "../settings/duration";

/** A year with a leap day. No longer duration is a lifetime (specification, section 5.1: at most one year). */
const LONGEST = Temporal.Duration.from({ years: 1 });

/**
 * A duration of a program: short (`"90d"`, `"12h"`) or ISO 8601 (`"P90D"`, `"P3M"`). Undefined for any other text, and for a
 * duration that is not positive.
 */
export function parseDuration(text: string): Temporal.Duration | undefined {
  const duration = anyDuration(text);
  return duration && duration.sign > 0 ? duration : undefined;
}

/** Whether it is a duration of no time, or of less. */
export function isTooShort(text: string): boolean {
  const duration = anyDuration(text);
  return duration !== undefined && duration.sign <= 0;
}

function anyDuration(text: string): Temporal.Duration | undefined {
  try {
    const duration = /^[+-]?P/i.test(text) ? Temporal.Duration.from(text) : shortDuration(text);
    if (duration) after(0, duration); // no date is later than the latest
    return duration;
  } catch (error) {
    if (error instanceof RangeError) return undefined; // what Temporal says of a text that is no duration, or of too long a one
    throw error;
  }
}

function shortDuration(text: string): Temporal.Duration | undefined {
  const milliseconds = durationMs(text);
  return Number.isSafeInteger(milliseconds) ? Temporal.Duration.from({ milliseconds }) : undefined;
}

/** This much later, by the UTC calendar, which knows the lengths of months. */
export function after(time: number, duration: Temporal.Duration): number {
  return utc(time).add(duration).epochMilliseconds;
}

/** This much earlier, by the UTC calendar. */
export function before(time: number, duration: Temporal.Duration): number {
  return utc(time).subtract(duration).epochMilliseconds;
}

/** One year later, by the UTC calendar: the latest end of a key. */
export function oneYearAfter(time: number): number {
  return after(time, LONGEST);
}

/** Whether one duration is shorter than another, from this moment on. */
export function isShorter(time: number, duration: Temporal.Duration, other: Temporal.Duration): boolean {
  return after(time, duration) < after(time, other);
}

function utc(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO("UTC");
}
