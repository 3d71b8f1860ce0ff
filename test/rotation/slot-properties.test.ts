import fc from "fast-check";
import { forAll } from "../support/for-all";
import { startOfDay } from "../../src/time/utc";
import { firstSlots, nextRotation, nextSlots, otherSlot } from "../../src/rotation/slot-schedule";
import { after } from "../../src/time/calendar";
import { at, DAY_MS, lapses, periodOf, runsAfter, type Run } from "./support";

fc.configureGlobal({ numRuns: 400 });

// Leap days (2028, 2032), and changes to summer time, which UTC does not have.
const moments = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2032-12-31T00:00:00Z") });
const days = fc.integer({ min: 2, max: 121 });
const calendar = fc.constantFrom("P1M", "P3M", "P2W", "36h");
const periods = fc.oneof(
  { weight: 3, arbitrary: days.map((count) => `${count}d`) },
  { weight: 1, arbitrary: calendar },
);
const fractions = (max: number) =>
  fc.array(fc.double({ min: 0.001, max, noNaN: true }), { minLength: 1, maxLength: 60 });
const inDays = (period: string): number => (after(0, periodOf(period)) - 0) / DAY_MS;

/** Runs at distances of these fractions of the period. */
const runsAt = (period: string, start: number, gaps: readonly number[]): Run[] =>
  runsAfter(
    period,
    start,
    // The shortest calendar month, so that a fraction is never longer than stated.
    gaps.map((gap) => gap * (period.endsWith("M") ? inDays(period) * (28 / 31) : inDays(period))),
  );

it("gaps up to two periods: the current key is valid", () => {
  forAll(periods, moments, fractions(2), (period, start, gaps) => {
    expect(lapses(runsAt(period, start, gaps)).filter(({ output }) => output === "current")).toEqual([]);
  });
});

it("gaps up to 0.8 periods: both keys are valid", () => {
  forAll(periods, moments, fractions(0.8), (period, start, gaps) => {
    expect(lapses(runsAt(period, start, gaps))).toEqual([]);
  });
});

it("returns valid keys that end at UTC midnights after any gaps", () => {
  forAll(periods, moments, fractions(12), (period, start, gaps) => {
    for (const { now, schedule } of runsAt(period, start, gaps)) {
      for (const { expiresAt, madeAt } of [schedule.a, schedule.b]) {
        expect(expiresAt).toBeGreaterThan(now);
        expect(expiresAt).toBeLessThanOrEqual(madeAt + 365 * DAY_MS);
        expect(startOfDay(expiresAt)).toBe(expiresAt);
      }
      expect(schedule[schedule.current].madeAt).toBeGreaterThanOrEqual(schedule[otherSlot(schedule.current)].madeAt);
    }
  });
});

it("renews one slot at a time unless keys have expired", () => {
  forAll(periods, moments, fractions(12), (period, start, gaps) => {
    const runs = runsAt(period, start, gaps);
    runs.slice(1).forEach(({ now, renewals }, index) => {
      const before = runs[index]!.schedule;
      const ended = (["a", "b"] as const).filter((slot) => before[slot].expiresAt <= now);
      const renewed = renewals.map(({ slot }) => slot);
      if (ended.length > 0) expect([...renewed].sort()).toEqual(ended);
      else expect([[], [otherSlot(before.current)]]).toContainEqual(renewed);
    });
  });
});

it("leaves a tenth of a period between rotations, with gaps up to two", () => {
  forAll(periods, moments, fractions(2), (period, start, gaps) => {
    const runs = runsAt(period, start, gaps);
    const rotations = runs.filter(({ renewals }) => renewals.some(({ cause }) => cause === "due"));
    rotations.slice(1).forEach(({ now }, index) => {
      const last = rotations[index]!.now;
      expect(now).toBeGreaterThanOrEqual(
        startOfDay(last) + Math.max(DAY_MS, 0.09 * (after(last, periodOf(period)) - last)),
      );
    });
  });
});

it("renews nothing again after a clock correction", () => {
  const skews = fc.integer({ min: -10 * 60_000, max: 10 * 60_000 });
  forAll(periods, moments, fractions(2), skews, (text, start, gaps, skew) => {
    const period = periodOf(text);
    const { now, schedule } = runsAt(text, start, gaps).at(-1)!;
    expect(nextSlots(period, schedule, now, false)).toEqual({ schedule, renewals: [] });
    const due = nextRotation(period, schedule);
    // both before or both after a midnight, and after the due time
    const preview = Math.max(due, startOfDay(due + DAY_MS) + 3_600_000);
    expect(nextSlots(period, schedule, preview + skew, false)).toEqual(nextSlots(period, schedule, preview, false));
  });
});

it("keeps a moved-in key until its expiry or rotation", () => {
  const ends = fc.integer({ min: 1, max: 365 });
  forAll(periods, moments, ends, fractions(1), (text, start, days, gaps) => {
    const period = periodOf(text);
    const end = start + days * DAY_MS;
    let { schedule } = firstSlots(period, start, end);
    expect(schedule).toMatchObject({ current: "b", a: { expiresAt: end } });
    let now = start;
    for (const gap of gaps) {
      now += Math.round(gap * inDays(text) * DAY_MS);
      const next = nextSlots(period, schedule, now, false);
      if (next.renewals.length > 0) {
        expect(next.renewals[0]!.slot).toBe("a");
        expect(now).toBeGreaterThanOrEqual(Math.min(nextRotation(period, schedule), end));
        return;
      }
      schedule = next.schedule;
    }
  });
});
