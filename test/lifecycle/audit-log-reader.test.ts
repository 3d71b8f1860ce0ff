import type { Dialect } from "../../src/api/dialect";
import type { AuditLogListOptions } from "../../src/api/lists/audit-log";
import { AuditLogReader } from "../../src/lifecycle/recovery/audit-log-reader";
import { VirtualClock } from "../support/virtual-clock";

/** A reader that counts its requests. The API's time has whole seconds. */
function reader(dialect: Dialect = "spec") {
  const clock = new VirtualClock(1_000_900);
  const requestTimes: number[] = [];
  const periods: unknown[] = [];
  const targets: unknown[] = [];
  const api = {
    dialect,
    now: () => Math.floor(clock.now() / 1000) * 1000,
    auditLogs: {
      // eslint-disable-next-line @typescript-eslint/require-await -- an empty log
      async *list({ since, until, targetId }: AuditLogListOptions = {}) {
        requestTimes.push(clock.now());
        periods.push([since, until]);
        targets.push(targetId);
        yield* [];
      },
    },
  };
  return { clock, requestTimes, periods, targets, audit: new AuditLogReader(clock, () => api) };
}

it("reads again for a request sent after the last reading", async () => {
  const { clock, requestTimes, audit } = reader();
  await audit.read(0);
  clock.advance(50);
  await audit.read(0);
  expect(requestTimes).toHaveLength(2);
});

it("shares one reading among concurrent callers", async () => {
  const { requestTimes, audit } = reader();
  await Promise.all([audit.read(0), audit.read(0), audit.read(0)]);
  expect(requestTimes).toHaveLength(1);
});

it.each([
  ["spec", [undefined], [[-3_599_995, undefined]]],
  ["nirvana", ["a", "b"], Array(2).fill([undefined, undefined])],
] as const)("looks for deletions with the filters of %s", async (dialect, filters, expected) => {
  const { targets, periods, audit } = reader(dialect);
  expect(await Promise.all(["a", "b"].map((id) => audit.showsDeletion(id, 5)))).toEqual([false, false]);
  expect([targets, periods]).toEqual([filters, expected]);
});

it("reads no whole log for an object without a date", async () => {
  const { requestTimes, audit } = reader();
  expect(await audit.showsObject("a", undefined)).toBe(false);
  expect(requestTimes).toEqual([]);
});

it("reads each day once if the API filters by time", async () => {
  const hourMs = 3_600_000;
  const { periods, audit } = reader("nirvana");
  await Promise.all([audit.readDay(0), audit.readDay(0)]);
  await audit.readDay(48 * hourMs);
  expect(periods).toEqual([
    [-hourMs, 25 * hourMs],
    [47 * hourMs, 73 * hourMs],
  ]);
});

it("reads once from the day on if the API cannot filter", async () => {
  const { periods, audit } = reader();
  await audit.readDay(7_200_000);
  await audit.readDay(7_200_000);
  expect(periods).toEqual([[3_600_000, undefined]]);
});

it("reuses a recent copy unless the clock went back", async () => {
  const { clock, requestTimes, audit } = reader();
  await audit.read(0);
  clock.advance(900);
  await audit.read(0, 1_000);
  expect(requestTimes).toHaveLength(1);
  clock.advance(200);
  await audit.read(0, 1_000);
  expect(requestTimes).toHaveLength(2);
  clock.advance(-60_000);
  await audit.read(0, 1_000);
  expect(requestTimes).toHaveLength(3);
});
