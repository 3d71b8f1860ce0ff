import { sameInstant, type Same } from "../definition/compare-values";
import { failure, warning, type Finding, type RuleContext } from "../definition/rule-context";
import { oneYearAfter, secondText, startOfDay, timeOf } from "../time/utc";

/** The two dates of a key. */
interface Validity {
  readonly startsAt?: string | undefined;
  readonly expiresAt?: string | undefined;
  readonly lifetime?: unknown;
}

/**
 * The rules on the dates of a key (specification, section 5.6). They apply only to dates that differ from those of the
 * existing key: its own dates may have passed.
 */
export function validityFindings(validity: Validity, context: RuleContext<Validity>): readonly Finding[] {
  const { previous, replaced, now } = context;
  const startIsNew = !sameInstant((previous ?? replaced)?.startsAt, validity.startsAt);
  const expiryIsNew = !previous || !sameInstant(previous.expiresAt, validity.expiresAt);
  const start = startIsNew || previous ? timeOf(validity.startsAt) : notBefore(timeOf(validity.startsAt), now);
  const end = timeOf(validity.expiresAt);
  const findings: Finding[] = [];
  const fail = (field: string, reason: string): void => void findings.push(failure(field, reason));

  if (startIsNew && start !== undefined && start < startOfDay(now))
    fail("startsAt", `must be today or later (is ${secondText(start)})`);
  if (previous && startIsNew && start !== undefined && start > now) {
    const reason = `the new key does not work before ${secondText(start)}, and what uses the key gets it at once. To rotate without an outage, leave startsAt out`;
    findings.push(warning("startsAt", reason));
  }
  if (end === undefined) return findings;
  if (expiryIsNew && end <= now)
    fail("expiresAt", `must be in the future (is ${secondText(end)}, and now it is ${secondText(now)})`);
  if (!expiryIsNew && end <= now)
    findings.push(warning("expiresAt", `the key expired on ${secondText(end)}: give a later expiresAt to rotate it`));
  if (!startIsNew && !expiryIsNew) return findings;
  if (start !== undefined && start >= end)
    fail("startsAt", `must be before expiresAt (is ${secondText(start)}, and expiresAt is ${secondText(end)})`);
  const latest = oneYearAfter(start ?? now);
  if (end > latest) {
    const from = start === undefined ? "the creation" : "startsAt";
    const latestText = `${secondText(latest)} at the latest (is ${secondText(end)})`;
    fail("expiresAt", `must be at most one year after ${from}: ${latestText}`);
  }
  return findings;
}

/** Two starts are equal if they are the same instant, or if both have passed. A missing start counts as passed. */
export const sameStart: Same = (before, after, now) =>
  sameInstant(before, after) || (hasPassed(before, now) && hasPassed(after, now));

function hasPassed(start: unknown, now: number): boolean {
  return typeof start !== "string" || Date.parse(start) <= now;
}

/**
 * The start for a creation request. A start before today means "at once" and is left out, because the API refuses such
 * a date.
 */
export function startToSend(startsAt: string, now: number): string | undefined {
  const start = timeOf(startsAt);
  return start === undefined || start < startOfDay(now) ? undefined : new Date(start).toISOString();
}

function notBefore(time: number | undefined, now: number): number | undefined {
  return time === undefined || time < startOfDay(now) ? undefined : time;
}
