import { Temporal } from "temporal-polyfill";
import { durationMs } from "./duration";

/**
 * Parses a duration of a program: short (`"90d"`, `"12h"`) or ISO 8601 (`"P90D"`, `"P3M"`). Undefined for any other
 * text, and for a duration that is not positive.
 */
export function parseDuration(text: string): Temporal.Duration | undefined {
  const duration = anyDuration(text);
  return duration && duration.sign > 0 ? duration : undefined;
}

/** True for a duration of zero or less. */
export function isTooShort(text: string): boolean {
  const duration = anyDuration(text);
  return duration !== undefined && duration.sign <= 0;
}

function anyDuration(text: string): Temporal.Duration | undefined {
  try {
    const duration = /^[+-]?P/i.test(text) ? Temporal.Duration.from(text) : shortDuration(text);
    if (duration) after(0, duration); // throws if the result would be after the latest date
    return duration;
  } catch (error) {
    // Temporal's error for a text that is no duration, or for one that is too long.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function shortDuration(text: string): Temporal.Duration | undefined {
  const [, years] = /^(\d+)\s*(?:y|yrs?|years?)$/i.exec(text) ?? []; // of the calendar: `durationMs` knows only their average length
  if (years !== undefined) return Temporal.Duration.from({ years: Number(years) });
  const milliseconds = durationMs(text);
  return Number.isSafeInteger(milliseconds) ? Temporal.Duration.from({ milliseconds }) : undefined;
}

/** The time plus a duration in epoch milliseconds, by the UTC calendar, which knows the lengths of months. */
export function after(time: number, duration: Temporal.Duration): number {
  return utc(time).add(duration).epochMilliseconds;
}

/** The time minus a duration in epoch milliseconds, by the UTC calendar. */
export function before(time: number, duration: Temporal.Duration): number {
  return utc(time).subtract(duration).epochMilliseconds;
}

/** True if the first duration is shorter than the second, from this moment on. */
export function isShorter(time: number, duration: Temporal.Duration, other: Temporal.Duration): boolean {
  return after(time, duration) < after(time, other);
}

function utc(time: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO("UTC");
}
