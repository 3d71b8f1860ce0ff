import { Temporal } from "temporal-polyfill";

/** A UTC day has no other length. */
export const dayMs = 86_400_000;

/**
 * Milliseconds since the epoch as a date-time of the API (section 2.1: ISO 8601, UTC), with a fraction only if there is one.
 */
export function formatTimestamp(epochMs: number): string {
  if (epochMs !== latest.epochMs) {
    const text = new Date(epochMs).toISOString();
    latest = { epochMs, text: text.endsWith(".000Z") ? `${text.slice(0, -5)}Z` : text };
  }
  return latest.text;
}

/** A request asks for the same instant several times: one text for all. */
let latest = { epochMs: 0, text: "1970-01-01T00:00:00Z" };

/** One year later in the UTC calendar. If that year lacks the day, 28 February (section 5.6). */
export function oneYearAfter(epochMs: number): number {
  return utc(epochMs).add({ years: 1 }).epochMilliseconds;
}

/** The first instant of the UTC day (section 5.6: `starts_at` is today or later). */
export function startOfUtcDay(epochMs: number): number {
  return utc(epochMs).startOfDay().epochMilliseconds;
}

/** The first instant of the next UTC month. */
export function startOfNextUtcMonth(epochMs: number): number {
  return utc(epochMs).startOfDay().with({ day: 1 }).add({ months: 1 }).epochMilliseconds;
}

function utc(epochMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO("UTC");
}
