import { join } from "node:path";
import { AdvisoryPrefetch } from "../../src/lifecycle/preflight/advisory-prefetch";
import { RunFile, type Announcement } from "../../src/process/run-file";
import { kinds } from "../../src/resources/registry";
import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { folderForSuite } from "../support/suite";
import { World } from "../support/world";

const world = World.forSuite();
const folder = folderForSuite("announced");

const type = "FirewallRule";
const kindOf = (urn: string) => kinds.find((kind) => urnOf(kind.type, "").split("::")[2] === urn.split("::")[2]);
const argsWith = (port: number): Record<string, unknown> =>
  world.args(type, { name: `rule-${port}`, destinationPorts: [String(port)] });
const quotes = async (): Promise<number> =>
  (await world.requests()).filter((request) => request.endsWith("/firewall_rules/cost")).length;

let path: string;
let file: RunFile<Announcement>;
let run: TestRun;
let nth = 0;

beforeEach(() => {
  path = join(folder, "runs", String((nth += 1)));
  file = new RunFile(path);
  run = world.run({}, { announced: file, kindOf });
});

function announce(port: number, args: object = {}): void {
  file.append({ urn: urnOf(type, `rule-${port}`), inputs: { ...argsWith(port), ...args } });
}

/** The engine presents a new rule. Resolves with its failures, and the number of quotes that its check has sent. */
async function check(port: number, args: object = {}): Promise<{ failures: string[]; sentNow: number }> {
  const before = await quotes();
  const news = sent(type, `rule-${port}`, { ...argsWith(port), ...args });
  const { failures } = await run.of(type).check({}, news);
  return { failures: failures.map(({ reason }) => reason), sentNow: (await quotes()) - before };
}

/**
 * The engine presents resources of a hundred that are announced. `present` returns the number of those that have been
 * asked about, and follow.
 */
function presenter(ask = Promise.resolve(), isOwn: (urn: number) => boolean = () => true) {
  const ahead = new AdvisoryPrefetch(file, (urn) => (isOwn(Number(urn)) ? kinds[0] : undefined));
  for (let i = 1; i <= 100; i += 1) file.append({ urn: String(i), inputs: {} });
  const requested: number[] = [];
  const present = (urn: number, isNew = true): number => {
    ahead.onPresented(String(urn), isNew, async (next) => {
      requested.push(Number(next.urn));
      await ask;
      return undefined;
    });
    return requested.filter((other) => other > urn).length;
  };
  return { requested, present };
}

it("prefetches from the fourth resource on, up to 16", () => {
  const { present } = presenter();
  expect(present(0, false)).toBe(0);
  expect([1, 2, 3, 4, 5, 6, 7, 8].map((urn) => present(urn))).toEqual([0, 0, 0, 2, 4, 8, 16, 16]);
  expect([9, 10].map((urn) => present(urn, false))).toEqual([15, 14]);
  expect([11, 12, 13, 14].map((urn) => present(urn))).toEqual([13, 12, 11, 10]); // enough of them wait
});

it("does not count resources of other processes as prefetched", () => {
  const { requested, present } = presenter(undefined, (urn) => urn > 30);
  present(0, false);
  for (const urn of [1, 2, 3, 4]) present(urn);
  expect(requested).toEqual([31, 32]);
});

it("prefetches all resources if the first four are new", async () => {
  let answer = (): void => undefined;
  const { requested, present } = presenter(new Promise<void>((resolve) => (answer = resolve)));
  expect([1, 2, 3, 4].map((urn) => present(urn))).toEqual([0, 0, 0, 32]);
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requested).toEqual(Array.from({ length: 96 }, (_, i) => 5 + i));
});

it("stops prefetching at the first existing resource", async () => {
  let answer = (): void => undefined;
  const { requested, present } = presenter(new Promise<void>((resolve) => (answer = resolve)));
  for (const urn of [1, 2, 3, 4]) present(urn);
  present(5, false);
  answer();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requested).toHaveLength(32);
});

/** Enough new rules in a row that the next ones are asked about. Returns the number of quotes for them. */
async function checkRow(): Promise<number> {
  const row = [101, 102, 103, 104];
  for (const port of row) expect((await check(port)).failures).toEqual([]);
  return row.length;
}

it("sends each advisory request once", async () => {
  for (const port of [1, 2, 3]) announce(port);
  const row = await checkRow();
  for (const port of [1, 2, 3]) expect((await check(port)).failures).toEqual([]);
  expect(await quotes()).toBe(row + 3);
});

it("sends no unneeded request in a small change", async () => {
  const kept = sent(type, "kept", argsWith(9));
  const { inputs } = await run.of(type).check({}, { ...kept });
  const [before, second] = [await quotes(), world.run({}, { announced: file, kindOf })];
  await second.of(type).check(inputs, kept);
  for (const port of [1, 2, 3, 4]) announce(port);
  for (const port of [1, 2, 3]) await second.of(type).check({}, sent(type, `rule-${port}`, argsWith(port)));
  expect((await quotes()) - before).toBe(3);
});

it("prefetches nothing for a resource that check would refuse", async () => {
  announce(2, { protocol: "icmq" });
  const row = await checkRow();
  expect((await check(2, { protocol: "icmq" })).failures).toHaveLength(1);
  expect(await quotes()).toBe(row);
});

it("does not use answers for other inputs", async () => {
  announce(2);
  await checkRow();
  expect((await check(2, { destinationPorts: ["99"] })).sentNow).toBe(1);
});

it("reports a refusal on its own resource", async () => {
  const refused = { destinationAddress: "10.99.0.0/24" }; // not in the VPC's subnet: only the API knows
  announce(2, refused);
  await checkRow();
  const { failures, sentNow } = await check(2, refused);
  expect(failures.join()).toMatch(/the API refuses it/);
  expect(sentNow).toBe(0);
});

it("prefetches nothing if the file is unreadable", () => {
  const missing = new RunFile<Announcement>(join(folder, "none", "here"));
  expect(missing.readNew()).toEqual([]);
  missing.remove();
});
