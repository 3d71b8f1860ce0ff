import { RunFile } from "../../src/process/run-file";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { UNKNOWN } from "../../src/engine/values";
import { checkNew, sent, urnOf, type TestRun } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { refresh } from "../support/mini-refresh";
import type { StateEntry } from "../support/mini-state";
import { folderForSuite } from "../support/suite";
import { World } from "../support/world";

const type = "ConnectConnection";
const world = World.forSuite();
const NEWS = { before: "0.00", delta: "312.50" };

const registered = (...urns: readonly string[]) => ({ __registered: { urns, late: [] }, __run: "mark" });

/** A summary of these resources after their checks. */
async function summaryOf(
  run: TestRun,
  names: readonly string[],
  previous: object = {},
): Promise<Record<string, unknown>> {
  const counted = registered(...names.map((name) => urnOf(type, name)));
  const { inputs } = await run.of("CostSummary").check({ ...previous }, sent("CostSummary", "cost", counted));
  return inputs;
}

/** A run that makes a connection, and its summary. */
async function firstRun(): Promise<{ readonly run: TestRun; readonly state: StateEntry; readonly before: object }> {
  const run = world.run();
  const { state } = await up(run, type, world.args(type), undefined, { name: "link" });
  return { run, state, before: await summaryOf(run, ["link"]) };
}

/** The same state with the types of the first-class provider. */
function moved(state: object): object {
  const native = JSON.stringify(state).replaceAll("pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:");
  expect(native).not.toBe(JSON.stringify(state));
  return JSON.parse(native) as object;
}

/** A preview of a connection that an alias has renamed. */
async function renamed(run: TestRun, state: StateEntry, args: object): Promise<void> {
  const lifecycle = run.of(type);
  const news = sent(type, "renamed", { ...world.args(type), ...args });
  const { inputs } = await lifecycle.check(state.inputs, news);
  const { replaces = [] } = await lifecycle.diff(state.id, state.outs, { ...inputs, __provider: "loader" });
  if (replaces.length > 0) await lifecycle.check({}, news);
}

it.each([
  ["stays as it is", {}, "312.50"],
  ["is replaced at once", { bandwidthMbps: 500 }, "781.25"],
])("counts no change for an alias if the resource %s", async (_case, args, after) => {
  const { state, before } = await firstRun();
  expect(before).toMatchObject({ after: "312.50" });
  const run = world.run();
  await renamed(run, state, args);
  const summary = await summaryOf(run, ["renamed"], before);
  expect(summary).toMatchObject({ before: "312.50", after, delta: (Number(after) - 312.5).toFixed(2) });
});

it("counts a moved resource as new if a refresh removed it", async () => {
  const { before } = await firstRun();
  const run = world.run();
  await checkNew(run, type, world.args(type), "link");
  expect(await summaryOf(run, ["link"], moved(before))).toMatchObject({ before: "0.00", after: "312.50" });
});

it("keeps the cost of a moved resource that was left out", async () => {
  const { before } = await firstRun();
  expect(await summaryOf(world.run(), ["link"], moved(before))).toMatchObject({ before: "312.50", after: "312.50" });
});

it("counts a removed resource as saved", async () => {
  const { before } = await firstRun();
  expect(await summaryOf(world.run(), [], before)).toMatchObject({ before: "312.50", after: "0.00", delta: "-312.50" });
});

it("counts nothing for an object that a refresh did not find", async () => {
  const { state, before } = await firstRun();
  await world.takeAway("connections", state.id);
  const run = world.run();
  expect(await refresh(run, type, state, { name: "link" })).toBeUndefined();
  expect(await summaryOf(run, [], before)).toMatchObject({ before: "0.00", after: "0.00", delta: "0.00" });
});

const UNKNOWN_COST =
  /^budget: the cost of ConnectConnection link is unknown, and onUnknown is "fail"\. Change the program, or raise the budget$/;

it.each([
  ["a limit", {}, { monthlyTotal: "100" }, /^budget: the total would be .*\. Change the program, or raise the budget$/],
  ["onUnknown", { costQuotes: "false" }, { onUnknown: "fail" }, UNKNOWN_COST],
])("says what to do if %s fails the preview", async (_case, config, budget, message) => {
  const run = world.run(config);
  await checkNew(run, type, world.args(type), "link");
  const { failures } = await checkNew(run, "CostSummary", { budget, ...registered(urnOf(type, "link")) }, "cost");
  expect(failures.map(({ reason }) => reason)).toEqual([expect.stringMatching(message)]);
});

it("shows what happens to each resource", async () => {
  const [before, run] = [world.run(), world.run()];
  const resources = [
    ["Volume", "grown", { size: 10 }, { size: 20 }],
    [type, "wider", { bandwidthMbps: 50 }, { bandwidthMbps: 500 }],
    [type, "same", {}, {}],
    [type, "new", undefined, {}],
  ] as const;
  for (const [kind, name, old, now] of resources) {
    const state = old && (await up(before, kind, world.args(kind, old), undefined, { name })).state;
    await up(run, kind, world.args(kind, now), state, { name });
  }
  const counted = registered(...resources.map(([kind, name]) => urnOf(kind, name)));
  await checkNew(run, "CostSummary", counted, "cost");
  expect(run.texts().join("\n")).toMatch(/\n\+- \w+ wider .*\n\+ {2}\w+ new .*\n~ {2}\w+ grown .*\n {3}1 unchanged /);
});

it("counts a resource once that is named twice", async () => {
  const { run } = await firstRun();
  expect(await summaryOf(run, ["link", "link"])).toMatchObject({ after: "312.50", resources: [{}] });
});

it.each([
  ["not known yet", UNKNOWN, "something that is not known yet, such as its id"],
  ["a name", "web", '"web"'],
  ["an object", { id: "1" }, "an object"],
])("refuses a counted resource that is %s", async (_case, given, shown) => {
  const run = world.run();
  const resources = [urnOf(type, "link"), given];
  const { failures } = await checkNew(run, "CostSummary", { resources }, "cost");
  const reason = `must be the URN of a resource, such as web.urn for the resource web (is ${shown})`;
  expect(failures.map((failure) => failure.reason)).toEqual([`resources[1]: ${reason}`]);
  expect(run.texts()).toEqual([]);
});

it("warns of a URN without a registered resource", async () => {
  const { run } = await firstRun();
  const resources = [urnOf(type, "link"), urnOf(type, "lnik")];
  const news = sent("CostSummary", "cost", { resources });
  const { inputs } = await run.of("CostSummary").check({}, news);
  const reason = `names no resource that this run has shown before the summary (is ${type} lnik)`;
  expect(run.warnings()).toEqual([expect.stringContaining(`resources[1]: ${reason}`)]);
  const next = world.run({ costQuotes: "false" });
  await next.of("CostSummary").check({ ...inputs }, news);
  expect(next.warnings()).toEqual(run.warnings());
});

/** A second run of an unchanged connection, whose summary has nothing to say. */
async function unchangedRun(): Promise<{ readonly run: TestRun; readonly inputs: Record<string, unknown> }> {
  const { state, before } = await firstRun();
  const run = world.run();
  await up(run, type, world.args(type), state, { name: "link" });
  return { run, inputs: await summaryOf(run, ["link"], before) };
}

it("compares amounts, not their spelling", async () => {
  const { run, inputs } = await unchangedRun();
  const urn = urnOf(type, "link");
  const state = (after: string): Record<string, unknown> => ({
    ...inputs,
    ...{ before: after, after, delta: "0", resources: [{ urn, monthlyTotal: after }] },
  });
  expect(inputs).toMatchObject({ before: "312.50", after: "312.50", resources: [{ monthlyTotal: "312.50" }] });
  // A program that marks no runs. Its summary still counts the amounts of one run.
  const unmarked = (props: Record<string, unknown>): Record<string, unknown> => ({ ...props, __run: undefined });
  const lifecycle = run.of("CostSummary");
  const answers = { "312.5": { changes: false }, "312.4": {} };
  for (const [after, answer] of Object.entries(answers)) {
    expect(await lifecycle.diff("cost", state(after), { ...inputs, __provider: "loader" })).toEqual(answer);
    expect(await lifecycle.diff("cost", unmarked(state(after)), unmarked(inputs))).toEqual(answer);
  }
});

it.each([
  ["ignores another run's difference", NEWS, {}, { changes: false }],
  ["saves this run's difference", {}, NEWS, {}],
  ["saves this run's difference despite an equal earlier one", NEWS, NEWS, { changes: true }],
])("%s", async (_title, saved, now, answer) => {
  const { run, inputs } = await unchangedRun();
  const news = { ...inputs, ...now, __provider: "loader" };
  expect(await run.of("CostSummary").diff("cost", { ...inputs, ...saved }, news)).toEqual(answer);
});

it("finds no difference in a refresh after a difference", async () => {
  const { before: inputs } = await firstRun();
  const refresh = world.run().of("CostSummary");
  const answer = await refresh.diff("cost", { ...inputs, __run: "mark" }, { ...inputs, __provider: "loader" });
  expect(answer).toEqual({ changes: false });
});

describe("a summary over several explicit providers in other processes", () => {
  const folder = folderForSuite("run-costs");
  let [nth, costsFile] = [0, ""];
  beforeEach(() => void (costsFile = join(folder, "runs", `${(nth += 1)}`)));
  const processOf = (provider?: string): TestRun => world.run({}, { provider, costsFile: new RunFile(costsFile) });
  const link = (bandwidthMbps: number): object => ({ ...world.args(type), bandwidthMbps });

  it("adds the new resources of both providers", async () => {
    await up(processOf("eu"), type, link(50), undefined, { name: "there" });
    await up(processOf("us"), type, link(500), undefined, { name: "over-there" });
    const own = processOf();
    await up(own, type, link(50), undefined, { name: "here" });
    const counted = await summaryOf(own, ["here", "there", "over-there"]);
    expect(counted).toMatchObject({ before: "0.00", after: "937.50", delta: "937.50", atLeast: false });
    const message = own.texts().join("\n").replaceAll(/\n +/g, " ");
    expect(message).toContain("of 3 providers together, which may be different accounts: default, eu, us");
    expect(message).not.toContain("the organization, estimated");
  });

  it("counts before and after of a changed resource", async () => {
    const { state } = await up(world.run(), type, link(50), undefined, { name: "there" });
    const eu = processOf("eu");
    await up(eu, type, link(500), state, { name: "there" });
    expect(await summaryOf(processOf(), ["there"])).toMatchObject({ before: "78.125", after: "781.25" });
    expect(await summaryOf(world.run(), ["there"])).toMatchObject({ before: "0.00", after: "0.00", atLeast: true });
  });

  it("counts nothing for an object that another process's refresh did not find", async () => {
    const { state, before } = await firstRun();
    await world.takeAway("connections", state.id);
    await refresh(processOf("eu"), type, state, { name: "link" });
    expect(await summaryOf(processOf(), [], before)).toMatchObject({ before: "0.00", delta: "0.00" });
  });

  it("shares costs in a private file for one run", async () => {
    const eu = processOf("eu");
    const key = { ...world.args("ApiKey") };
    const { state } = await up(eu, "ApiKey", key, undefined, { name: "deployer" });
    await up(eu, "ApiKey", { ...key, tags: ["changed"] }, state, { name: "deployer" });
    const text = readFileSync(costsFile, "utf8");
    expect(text).toContain(urnOf("ApiKey", "deployer"));
    expect(text).not.toContain(String((state.outs["key"] as { value?: unknown }).value ?? state.outs["key"]));
    expect(statSync(costsFile).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, "runs")).mode & 0o777).toBe(0o700);
    eu.run.costs.end();
    expect(readdirSync(join(folder, "runs"))).not.toContain(String(nth));
  });
});

it("does not add up another currency", async () => {
  const { run } = await firstRun();
  const pair = run.run.memory.of(urnOf(type, "link"))!.cost!;
  const after = { cost: { ...pair.after.cost!, currency: "EUR" } };
  run.run.memory.note(urnOf(type, "link"), { cost: { ...pair, after } });
  const resources = [{ unpriced: { status: "unknown", reason: "it is quoted in EUR" } }];
  expect(await summaryOf(run, ["link"])).toMatchObject({ after: "0.00", atLeast: true, resources });
});
