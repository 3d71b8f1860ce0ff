import type { Api } from "../../src/api/client";
import { requestsOf, usesOf as usesWithReason } from "../../src/lifecycle/credential/key-uses";
import { sampleAuditLog } from "../api/support/samples";

/** An audit log with entries of `actor` at these hours, in this order; and how many of them were read. */
function apiWith(entries: readonly (readonly [actor: string, hour: number])[], dialect: Api["dialect"] = "spec") {
  const read: number[] = [];
  const list = async function* () {
    await Promise.resolve();
    for (const [id, hour] of entries) {
      read.push(hour);
      const entry = sampleAuditLog();
      yield { ...entry, actor: { ...entry.actor, id }, created_at: timeOf(hour) };
    }
  };
  return { api: { dialect, auditLogs: { list } }, read };
}

const timeOf = (hour: number): string => new Date(Date.UTC(2026, 0, 1, hour)).toISOString();
const since = Date.UTC(2026, 0, 1, 10);

/** The hours of the uses that are found; `many`: whether earlier ones are wanted too. */
async function usesOf(
  api: Parameters<typeof requestsOf>[0],
  keys: readonly string[],
  many: boolean,
): Promise<string[]> {
  const requests = await requestsOf(
    api,
    keys.map((id) => ({ id, since, ...(!many && { enoughFrom: Infinity }) })),
  );
  const hours = keys.map((id) => requests.of(id).map(({ created_at: time }) => new Date(time).getUTCHours()));
  return hours.map((own, index) => `${keys[index]} ${own.join(" ")}`);
}

it("finds every use in a log without an order", async () => {
  const { api, read } = apiWith([
    ["a", 12],
    ["b", 13],
    ["b", 9],
    ["a", 8],
    ["a", 15],
    ["b", 20],
    ["c", 11],
    ["a", 10],
  ]);
  expect(await usesOf(api, ["a", "b"], true)).toEqual(["a 12 15 10", "b 13 20"]);
  expect(read).toHaveLength(8);
});

/** A page of another actor, which shows that the newest entries are first. */
const page = Array.from({ length: 100 }, (_, i) => ["c", 200 - i] as const);

it("reads a newest-first log one hour past the start", async () => {
  const { api, read } = apiWith([...page, ["a", 20], ["b", 15], ["a", 12], ["a", 9], ["b", 8], ["b", 7]]);
  expect(await usesOf(api, ["a", "b"], true)).toEqual(["a 20 12", "b 15"]);
  expect(read.slice(page.length)).toEqual([20, 15, 12, 9, 8]);
});

it("stops one hour before the last use", async () => {
  const { api, read } = apiWith([...page, ["a", 20], ["a", 19], ["b", 15], ["c", 14], ["a", 12]]);
  expect(await usesOf(api, ["a", "b"], false)).toEqual(["a 20 19", "b 15"]);
  expect(read.slice(page.length)).toEqual([20, 19, 15, 14]);
});

it("stops at the key's last use in a sorted log", async () => {
  const { api, read } = apiWith(
    [
      ["a", 20],
      ["a", 19],
    ],
    "nirvana",
  );
  expect(await usesOf(api, ["a"], false)).toEqual(["a 20"]);
  expect(read).toEqual([20]);
});

it("reads the whole log if the first two entries are swapped", async () => {
  const { api, read } = apiWith([
    ["b", 12],
    ["a", 11],
    ["a", 13],
  ]);
  expect(await usesOf(api, ["a", "b"], false)).toEqual(["a 11 13", "b 12"]);
  expect(read).toHaveLength(3);
});

it.each([
  ["newest-first", (i: number): readonly [string, number] => ["c", 10_000 - i]],
  ["unsorted", (): readonly [string, number] => ["a", 11]],
])("says that a %s log is too long", async (_order, entry) => {
  const { api, read } = apiWith(Array.from({ length: 5_001 }, (_, i) => entry(i)));
  expect((await usesWithReason(api, [{ id: "a", replacedAt: since }]))("a")).toEqual({
    unread: expect.stringMatching(/^the audit log is too long to read in full/) as string,
    isLasting: true,
  });
  expect(read).toHaveLength(5_000);
});

it("sends no request without keys", async () => {
  const { api, read } = apiWith([["a", 11]]);
  expect(await usesOf(api, [], true)).toEqual([]);
  expect(read).toEqual([]);
});
