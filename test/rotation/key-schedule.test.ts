import fc from "fast-check";
import { forAll } from "../support/for-all";
import { after, isShorter, parseDuration } from "../../src/time/calendar";
import { planKey, rotationOf, type KeySchedule } from "../../src/rotation/key-schedule";
import { oneYearAfter, startOfDay } from "../../src/time/utc";

const DAY_MS = 86_400_000;
const iso = (time: number): string => new Date(time).toISOString();
const at = (text: string): number => Date.parse(text);

function schedule(lifetime: string, rotateBefore?: string): KeySchedule {
  return { lifetime: parseDuration(lifetime)!, rotateBefore: rotateBefore ? parseDuration(rotateBefore) : undefined };
}

describe("a duration", () => {
  it.each([
    ["90d", 90],
    ["P90D", 90],
    ["12h", 0.5],
    ["PT12H", 0.5],
    ["2w", 14],
    ["P2W", 14],
  ])("%s is %d days", (text, days) => {
    expect(after(0, parseDuration(text)!)).toBe(days * DAY_MS);
  });

  it("counts months by the calendar", () => {
    expect(iso(after(at("2027-01-31T00:00:00Z"), parseDuration("P1M")!))).toBe("2027-02-28T00:00:00.000Z");
  });

  it.each(["", "90", "soon", "0d", "-90d", "P", "-P90D", "P0D", "1e9999d", "90 d d"])(
    "%j is not a duration",
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe("the plan of a key", () => {
  it("a key ends on the first UTC midnight after its lifetime", () => {
    const plan = planKey(schedule("90d", "14d"), undefined, at("2026-11-21T15:00:00Z"));
    expect(iso(plan.expiresAt)).toBe("2027-02-20T00:00:00.000Z");
    expect(iso(plan.rotatesAt)).toBe("2027-02-06T00:00:00.000Z");
    expect(plan.due).toBe(false);
  });

  it.each([
    ["90d", "2027-01-21"], // 30 days are less than a third
    ["30d", "2026-12-12"], // a third is less
  ])("rotates %s keys 30 days or a third before the end", (lifetime, day) => {
    const { rotatesAt } = planKey(schedule(lifetime), undefined, at("2026-11-21T15:00:00Z"));
    expect(iso(rotatesAt).slice(0, 10)).toBe(day);
  });

  it("changes the expiry only when the window is reached", () => {
    const keys = schedule("90d", "14d");
    const first = planKey(keys, undefined, at("2026-11-21T15:00:00Z"));
    expect(planKey(keys, first, first.rotatesAt - 1)).toEqual(first);
    const next = planKey(keys, first, first.rotatesAt);
    expect(next.due).toBe(true);
    expect(iso(next.expiresAt)).toBe("2027-05-07T00:00:00.000Z");
  });

  it("a key is due if its lifetime is shortened", () => {
    const keys = schedule("90d", "14d");
    const made = planKey(keys, undefined, at("2026-11-21T15:00:00Z"));
    const now = at("2026-12-20T00:00:00Z");
    expect(planKey(schedule("30d", "7d"), made, now).due).toBe(true);
    expect(planKey(schedule("180d", "14d"), made, now)).toEqual(made);
  });

  it("keeps a given expiry until its window", () => {
    const given = { expiresAt: at("2027-01-01T00:00:00Z") };
    expect(planKey(schedule("30d", "7d"), given, at("2026-12-24T23:59:59Z")).due).toBe(false);
    expect(planKey(schedule("30d", "7d"), given, at("2026-12-25T00:00:00Z")).due).toBe(true);
  });
});

describe("for every lifetime, window, and moment", () => {
  const moments = fc.integer({ min: at("2026-01-01T00:00:00Z"), max: at("2032-12-31T00:00:00Z") });
  const schedules = fc
    .tuple(fc.integer({ min: 1, max: 365 }), fc.option(fc.integer({ min: 1, max: 364 }), { nil: undefined }))
    .filter(([days, window]) => window === undefined || window < days)
    .map(([days, window]) => schedule(`${days}d`, window === undefined ? undefined : `P${window}D`));

  it("a key ends at a UTC midnight within lifetime and year", () => {
    forAll(schedules, moments, (keys, now) => {
      const { expiresAt } = planKey(keys, undefined, now);
      expect(expiresAt).toBe(startOfDay(expiresAt));
      expect(expiresAt).toBeGreaterThan(now);
      expect(expiresAt).toBeLessThanOrEqual(oneYearAfter(now));
      expect(expiresAt).toBeGreaterThanOrEqual(Math.min(after(now, keys.lifetime), startOfDay(oneYearAfter(now))));
    });
  });

  it("rotates before the end, the same at any time of day", () => {
    forAll(schedules, moments, (keys, now) => {
      const plan = planKey(keys, undefined, now);
      expect(plan.rotatesAt).toBeLessThan(plan.expiresAt);
      expect(rotationOf(keys, plan)).toBe(plan.rotatesAt);
      const beginning = startOfDay(now) + 1;
      expect(planKey(keys, undefined, beginning).expiresAt).toBe(
        planKey(keys, undefined, startOfDay(now) + DAY_MS - 1).expiresAt,
      );
    });
  });

  it("depends on the present schedule alone, whatever came between", () => {
    forAll(schedules, fc.array(schedules, { maxLength: 5 }), schedules, moments, (first, between, last, now) => {
      const made = planKey(first, undefined, now);
      let plan = made;
      for (const keys of between) {
        const { due, ...changed } = planKey(keys, plan, now);
        if (!due) plan = { ...changed, due };
      }
      expect(planKey(last, plan, now)).toEqual(planKey(last, made, now));
    });
  });

  it("keeps a valid key if runs come within each window", () => {
    const gaps = fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 40 });
    forAll(schedules, moments, gaps, (keys, start, fractions) => {
      let now = start;
      let plan = planKey(keys, undefined, now);
      for (const fraction of fractions) {
        // the next run comes between now and the end of the window
        now += Math.ceil(fraction * (plan.expiresAt - now));
        expect(now).toBeLessThanOrEqual(plan.expiresAt);
        const next = planKey(keys, plan, now);
        expect(next.due).toBe(now >= plan.rotatesAt);
        plan = next;
        expect(plan.expiresAt).toBeGreaterThan(now);
      }
    });
  });
});

it("distinguishes a window as long as the lifetime", () => {
  expect(isShorter(0, parseDuration("14d")!, parseDuration("P2W")!)).toBe(false);
  expect(isShorter(0, parseDuration("13d")!, parseDuration("P2W")!)).toBe(true);
});
