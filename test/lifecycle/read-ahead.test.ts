import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ReadAhead } from "../../src/lifecycle/preflight/read-ahead";
import { RunFile, type Announcement } from "../../src/process/run-file";
import { kinds } from "../../src/resources/registry";
import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const folder = mkdtempSync(join(tmpdir(), "announced-"));
afterAll(() => rmSync(folder, { recursive: true }));

const type = "FirewallRule";
const kindOf = (urn: string) => kinds.find((kind) => urnOf(kind.type, "").split("::")[2] === urn.split("::")[2]);
const argsWith = (port: number): Record<string, unknown> => ({
  ...argsOf(type, world.simulator),
  name: `rule-${port}`,
  destinationPorts: [String(port)],
});
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

it("asks about one more, then about twice as many, up to 16", () => {
  const ahead = new ReadAhead(file);
  for (let i = 1; i <= 100; i += 1) file.append({ urn: String(i), inputs: {} });
  let asked = 0;
  const present = (urn: number, isNew = true): number => {
    ahead.present(String(urn), isNew, () => {
      asked += 1;
      return Promise.resolve(undefined);
    });
    return asked - (urn - 1); // those that are not presented yet
  };
  expect([1, 2, 3, 4, 5, 6, 7].map((urn) => present(urn))).toEqual([1, 2, 4, 8, 16, 16, 16]);
  expect([8, 9].map((urn) => present(urn, false))).toEqual([15, 14]);
  expect(present(10)).toBe(13); // enough of them wait
});

it("asks each question once", async () => {
  for (const port of [1, 2, 3]) announce(port);
  for (const port of [1, 2, 3]) expect((await check(port)).failures).toEqual([]);
  expect(await quotes()).toBe(3);
});

it("asks nothing about a resource that check would refuse", async () => {
  announce(1);
  announce(2, { protocol: "icmq" });
  await check(1);
  expect((await check(2, { protocol: "icmq" })).failures).toHaveLength(1);
  expect(await quotes()).toBe(1);
});

it("takes no answers for other inputs", async () => {
  announce(1);
  announce(2);
  await check(1);
  expect((await check(2, { destinationPorts: ["99"] })).sentNow).toBe(1);
});

it("tells a refusal on the resource that it is about", async () => {
  const refused = { destinationAddress: "10.99.0.0/24" }; // not in the VPC's subnet: only the API knows
  announce(1);
  announce(2, refused);
  expect((await check(1)).failures).toEqual([]);
  const { failures, sentNow } = await check(2, refused);
  expect(failures.join()).toMatch(/the API refuses it/);
  expect(sentNow).toBe(0);
});

it("reads complete entries only, each once", () => {
  file.append({ urn: "1", inputs: {} });
  appendFileSync(path, '{"urn":"2","inp');
  expect(file.readNew().map(({ urn }) => urn)).toEqual(["1"]);
  appendFileSync(path, 'uts":{}}\n');
  expect(file.readNew().map(({ urn }) => urn)).toEqual(["2"]);
  expect(file.readNew()).toEqual([]);
});

it("does without a file that nobody can read", () => {
  const missing = new RunFile<Announcement>(join(folder, "none", "here"));
  expect(missing.readNew()).toEqual([]);
  missing.remove();
});
