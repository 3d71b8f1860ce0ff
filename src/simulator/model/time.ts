import { Temporal } from "temporal-polyfill";

/** The time source of the simulator: the machine's clock, or a test's own. */
export interface BaseClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

const longestAdvanceMs = 100 * 366 * 24 * 3_600_000;

/** The service's clock: it runs with a base clock, plus the time added through the control port. */
export class SimulatedClock {
  #advancedMs = 0;

  constructor(private readonly base: BaseClock) {}

  /** Milliseconds since the epoch. */
  now(): number {
    return Math.trunc(this.base.now()) + this.#advancedMs;
  }

  /**
   * Moves the clock forward. Returns false, and does nothing, if the time is negative or the total exceeds a century.
   */
  advance(ms: number): boolean {
    const advancedMs = this.#advancedMs + Math.round(ms);
    if (!(ms >= 0) || advancedMs > longestAdvanceMs) return false;
    this.#advancedMs = advancedMs;
    return true;
  }

  /** Forgets the added time. */
  reset(): void {
    this.#advancedMs = 0;
  }
}

/** Every UTC day has this length. */
export const dayMs = 86_400_000;

/**
 * Milliseconds since the epoch as a date-time of the API (section 2.1: ISO 8601, UTC), with a fraction only if there is
 * one.
 */
export function formatTimestamp(epochMs: number): string {
  return new Date(epochMs).toISOString().replace(".000Z", "Z");
}

/** One year later in the UTC calendar. If that year lacks the day, 28 February (section 5.6). */
export function oneYearAfter(epochMs: number): number {
  return utc(epochMs).add({ years: 1 }).epochMilliseconds;
}

/** The first instant of the UTC day (section 5.6: `starts_at` is today or later). */
export function startOfUtcDay(epochMs: number): number {
  return utc(epochMs).startOfDay().epochMilliseconds;
}

export function startOfNextUtcMonth(epochMs: number): number {
  return utc(epochMs).startOfDay().with({ day: 1 }).add({ months: 1 }).epochMilliseconds;
}

function utc(epochMs: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO("UTC");
}
