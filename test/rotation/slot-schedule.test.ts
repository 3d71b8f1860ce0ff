import { firstSlots, isPeriod, nextRotation, nextSlots, type SlotSchedule } from "../../src/rotation/slot-schedule";
import { at, DAY_MS, periodOf, runsAfter, turns } from "./support";

const NOON = "2026-06-15T12:00:00Z";
const iso = (time: number): string => new Date(time).toISOString().replace(".000Z", "Z");
const month = periodOf("30d");
const times = (count: number, gap: number): number[] => Array.from({ length: count }, () => gap);
/** A schedule whose slots were made this many days before noon, each for three periods of 30 days. */
const made = (current: "a" | "b", daysAgo: Record<"a" | "b", number>): SlotSchedule => {
  const slot = (days: number) => firstSlots(month, at(NOON) - days * DAY_MS, undefined).schedule.a;
  return { a: slot(daysAgo.a), b: slot(daysAgo.b), current };
};
const causes = (schedule: SlotSchedule, retire = false): string[] =>
  nextSlots(month, schedule, at(NOON), retire).renewals.map(({ slot, cause }) => `${slot} ${cause}`);

describe("a period", () => {
  it.each(["1d", "30d", "P30D", "P1M", "P3M", "121d"])("%s is a valid period", (text) => {
    expect(isPeriod(periodOf(text))).toBe(true);
  });
  it.each(["23h", "122d", "P1Y", "P4M"])("refuses %s: three may exceed a year", (text) => {
    expect(isPeriod(periodOf(text))).toBe(false);
  });
});

describe("the first run", () => {
  it("plans both keys for three periods to a UTC midnight", () => {
    const { schedule, renewals } = firstSlots(month, at(NOON), undefined);
    expect(renewals).toEqual([]);
    expect(schedule.current).toBe("a");
    expect([schedule.a, schedule.b].map(({ expiresAt }) => iso(expiresAt))).toEqual(
      times(2, 0).map(() => "2026-09-14T00:00:00Z"),
    );
    expect(iso(nextRotation(month, schedule))).toBe("2026-07-12T00:00:00Z");
  });

  it("keeps the expiry of a moved-in key as the previous one", () => {
    const { schedule, renewals } = firstSlots(month, at(NOON), at("2026-07-05T10:30:00Z"));
    expect(renewals).toEqual([]);
    expect([schedule.current, iso(schedule.a.expiresAt)]).toEqual(["b", "2026-07-05T10:30:00Z"]);
    // Before it ends, and not at once, because its clients need time to fetch the new key.
    expect(iso(nextRotation(month, schedule)).slice(0, 10)).toBe("2026-06-28");
  });

  it("renews an expired moved-in key at once", () => {
    const { schedule, renewals } = firstSlots(month, at(NOON), at("2026-06-01T00:00:00Z"));
    expect(renewals).toEqual([{ slot: "a", cause: "expired" }]);
    expect(schedule.a.expiresAt).toBeGreaterThan(at(NOON));
  });
});

describe("a later run", () => {
  it("renews in turn at each period", () => {
    expect(turns(runsAfter("30d", NOON, [30, 28, 33, 27, 32, 30])).join(" ")).toBe(" b a b a b a");
  });

  it("renews each slot once a period in daily runs", () => {
    const runs = runsAfter("30d", NOON, times(120, 1));
    const days = turns(runs).flatMap((slot, day) => (slot === "" ? [] : [`${day}${slot}`]));
    expect(days).toEqual(["27b", "40a", "54b", "67a", "81b", "94a", "108b"]);
  });

  it("waits after a rotation for the old key's clients", () => {
    expect(turns(runsAfter("30d", NOON, [60, 1, 1, 11]))).toEqual(["", "b", "", "", "a"]);
  });

  it("renews an expired previous key, due or not", () => {
    expect(causes(made("b", { a: 95, b: 1 }))).toEqual(["a expired"]);
  });

  it("renews an expired current key", () => {
    const schedule = { ...made("b", { a: 20, b: 95 }) };
    const next = nextSlots(month, schedule, at(NOON), false);
    expect(next.renewals).toEqual([{ slot: "b", cause: "expired" }]);
    expect(next.schedule).toMatchObject({ current: "b", a: schedule.a });
  });

  it("renews both expired keys, in turn", () => {
    const next = nextSlots(month, made("b", { a: 130, b: 100 }), at(NOON), false);
    expect(next.renewals.map(({ slot }) => slot)).toEqual(["a", "b"]);
    expect(next.schedule.current).toBe("a");
  });

  it("renews a previous key for retirePrevious", () => {
    const schedule = made("a", { a: 0, b: 0 });
    const { schedule: next, renewals } = nextSlots(month, schedule, at(NOON), true);
    expect(renewals).toEqual([{ slot: "b", cause: "retired" }]);
    expect(next.current).toBe("b");
    expect(iso(next.b.expiresAt)).toBe("2026-09-15T00:00:00Z");
    expect(next.b.retirements).toBe(1);
    expect(causes(next)).toEqual([]);
  });

  it("retires the previous key although the current one has expired", () => {
    const schedule = made("b", { a: 20, b: 95 });
    expect(causes(schedule, true)).toEqual(["a retired", "b expired"]);
    expect(nextSlots(month, schedule, at(NOON), true).schedule).toMatchObject({
      a: { retirements: 1 },
      b: { retirements: 0 },
    });
  });

  it("never plans an end twice", () => {
    let schedule = made("a", { a: 0, b: 0 });
    const ends = new Set([schedule.b.expiresAt]);
    for (let renewals = 1; renewals <= 4; renewals += 1) {
      for (let each = 0; each < 2; each += 1) schedule = nextSlots(month, schedule, at(NOON), true).schedule;
      ends.add(schedule.b.expiresAt);
      expect(ends.size).toBe(renewals + 1);
    }
    const later = nextSlots(month, schedule, at(NOON) + 80 * DAY_MS, false).schedule;
    expect(later.b.formerEnds).toHaveLength(5);
    expect(nextSlots(month, later, at(NOON) + 200 * DAY_MS, false).schedule.b.formerEnds).toEqual([]);
  });
});

describe("when the period changes", () => {
  const year = periodOf("120d");
  const week = periodOf("7d");

  it("makes a shorter period due by its own length", () => {
    expect(nextSlots(week, made("b", { a: 8, b: 4 }), at(NOON), false).renewals).toEqual([{ slot: "a", cause: "due" }]);
    expect(nextSlots(week, made("b", { a: 5, b: 2 }), at(NOON), false).renewals).toEqual([]);
  });

  it("finishes the period before it uses a longer one", () => {
    const { schedule, renewals } = nextSlots(year, made("b", { a: 28, b: 14 }), at(NOON), false);
    expect(renewals).toEqual([{ slot: "a", cause: "due" }]);
    expect((schedule.a.expiresAt - at(NOON)) / DAY_MS).toBeCloseTo(360.5, 5);
    // b was made for 30 days, so it cannot last until 90 % of 120.
    expect(nextRotation(year, schedule)).toBeLessThan(schedule.b.expiresAt);
  });
});
