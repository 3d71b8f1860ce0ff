/** Every UTC day has this length. */
export const DAY_MS = 86_400_000;

/** The epoch milliseconds of a time in a state or a program. Undefined for any other value. */
export function timeOf(value: unknown): number | undefined {
  const time = Date.parse(String(value));
  return Number.isNaN(time) ? undefined : time;
}

/** The UTC midnight at or before a time (epoch milliseconds). */
export function startOfDay(time: number): number {
  return Math.floor(time / DAY_MS) * DAY_MS;
}

/**
 * One year later by the UTC calendar, and 28 February after a 29 February: the latest end of a key (specification,
 * section 5.6).
 */
export function oneYearAfter(time: number): number {
  const date = new Date(time);
  date.setUTCFullYear(date.getUTCFullYear() + 1);
  // 29 February does not exist in the next year.
  if (date.getUTCDate() !== new Date(time).getUTCDate()) date.setUTCDate(0);
  return date.getTime();
}

/** A time in states: ISO 8601, UTC, with a fraction only if there is one. */
export function dateText(time: number): string {
  return new Date(time).toISOString().replace(".000Z", "Z");
}

/** A time in messages and reports: ISO 8601, UTC, to the second. */
export function secondText(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}
