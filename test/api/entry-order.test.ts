import { entriesIn, EntryOrder, type AuditLogListOptions } from "../../src/api/lists/audit-log";
import { sampleAuditLog } from "./support/samples";

const HOUR = 3_600_000;
const PAGE = Array.from({ length: 100 }, (_, i) => i);

it.each<[string, readonly number[], number]>([
  ["nothing", [], Infinity],
  ["one time", [3], 3],
  ["falling times", [3, 3, 1], 1],
  ["a rise", [3, 1, 2], Infinity],
])("finds the latest possible time on later pages: %s", (_when, times, latest) => {
  expect(latestOfRest(true, times)).toBe(latest);
});

it.each<[string, readonly number[], number]>([
  ["a few falling times", [3, 2, 1], Infinity],
  ["a page of falling times", PAGE.map((i) => 300 - i), 202],
  ["pairs swapped within an hour", PAGE.map((i) => 300 - (i ^ 1) / 2), 251.5],
  ["falling times within an hour", PAGE.map((i) => 300 - i / 200), Infinity],
  ["a page of rising times", PAGE.map((i) => 300 + i), Infinity],
  ["rising times, the first two swapped", PAGE.map((i) => 300 + (i < 2 ? 1 - i : i)), Infinity],
  ["a rise of over an hour", PAGE.map((i) => 300 - i + (i === 50 ? 3 : 0)), Infinity],
])("finds the latest possible time in unsorted pages: %s", (_when, hours, latest) => {
  const times = hours.map((hour) => hour * HOUR);
  expect(latestOfRest(false, times) / HOUR).toBe(latest);
});

function latestOfRest(isSorted: boolean, times: readonly number[]): number {
  const order = new EntryOrder(isSorted);
  for (const time of times) order.add(time);
  return order.latestOfRest;
}

it.each<[string, AuditLogListOptions, readonly number[]]>([
  ["older entries", { since: 3 * HOUR }, [4, 3]],
  ["the most entries", { mostEntries: 1 }, [4]],
])("ends a sorted log at %s", async (_which, options, hours) => {
  const log = async function* () {
    await Promise.resolve();
    for (const hour of [4, 3, 2]) yield { ...sampleAuditLog(), created_at: new Date(hour * HOUR).toISOString() };
  };
  const read: number[] = [];
  for await (const { created_at: time } of entriesIn(log(), "nirvana", options)) read.push(Date.parse(time) / HOUR);
  expect(read).toEqual(hours);
});
