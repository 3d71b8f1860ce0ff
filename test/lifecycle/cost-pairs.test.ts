import { costBefore, costSide } from "../../src/cli/cost/preview-report";
import { sent, urnOf, withFacts, type TestRun } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import type { StateEntry } from "../support/mini-state";
import { answer, rewriteRequest } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const type = "ConnectConnection";
const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const argsFor = (args: object): object => world.args(type, args);

/** The preview of one existing resource: its row, and the costs in a summary and on the command line. */
async function previewed(state: StateEntry, args: object, run: TestRun = world.run(), hidden: object = {}) {
  const lifecycle = run.of(type);
  const news = { ...sent(type, "x", argsFor(args)), ...hidden };
  let { inputs } = await lifecycle.check(state.inputs, news);
  const { replaces = [] } = await lifecycle.diff(state.id, state.outs, { ...inputs, __provider: "loader" });
  if (replaces.length > 0) ({ inputs } = await lifecycle.check({}, news));
  const lines = run.texts();
  const registered = { __registered: { urns: [urnOf(type, "x")], late: [] }, __run: "mark" };
  const summary = await run.of("CostSummary").check({}, { ...sent("CostSummary", "cost", {}), ...registered });
  const newState = { type: "", inputs };
  return {
    lines,
    summary: summary.inputs,
    commandLine: [costBefore(newState) ?? costSide(state), costSide(newState)].map(({ cost }) => cost?.monthlyTotal),
  };
}

it.each([
  [{}, "info"],
  [{ isSummarized: true }, "passing"],
])("shows the cost with %j as %s", async (facts, severity) => {
  const run = world.run();
  const { inputs } = await run.of(type).check({}, withFacts(sent(type, "x", argsFor({})), facts));
  expect(inputs).not.toHaveProperty("__program");
  expect(run.lines).toEqual([expect.objectContaining({ severity, text: expect.stringMatching(/^\+\$/) as string })]);
});

it.each([
  [
    "the resource is replaced",
    { bandwidthMbps: 500 },
    "$625.00/mo → $1,562.50/mo (+$937.50/mo)",
    ["625.00", "1562.50"],
  ],
  ["another field changes in place", { tags: ["new"] }, "$625.00/mo as before", ["625.00", "625.00"]],
])("after a price moved, all reports show one pair of costs if %s", async (_, args, change, pair) => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.setPrices({ networking_connect_mbps: "3.125" });
  const { lines, summary, commandLine } = await previewed(state, args);
  expect(lines).toEqual([`${change}; its price has moved since the last quote: $312.50/mo → $625.00/mo (+$312.50/mo)`]);
  expect([Number(summary["before"]), Number(summary["after"])]).toEqual(pair.map(Number));
  expect(commandLine).toEqual(pair);
});

it("notices a changed price of a value that is replaced", async () => {
  const vm = (type: string): object => world.args("Vm", { bootVolume: { size: 64, type } });
  const { state } = await up(world.run(), "Vm", vm("abs"), undefined);
  await world.setPrices({ storage_abs_gb: "0.50" });
  const run = world.run();
  const { inputs } = await run.of("Vm").check(state.inputs, sent("Vm", "x", vm("nvme")));
  await run.of("Vm").diff(state.id, state.outs, { ...inputs, __provider: "loader" });
  await run.of("Vm").check({}, sent("Vm", "x", vm("nvme")));
  expect(run.texts().join()).toContain("$75.80/mo → $59.80/mo (-$16.00/mo)");
});

it("reports the cost before as unknown if its quote fails", async () => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.setPrices({ networking_connect_mbps: "3.125" });
  proxy.on({ path: /cost$/ }, (request, forward) =>
    request.body.includes('"bandwidth_mbps":200') ? answer(500)(request, forward) : forward(request),
  );
  const { lines, summary } = await previewed(state, { bandwidthMbps: 500 }, world.run({ baseUrl: proxy.url }));
  expect(lines.at(-1)).toBe("$1,562.50/mo, cost before unknown: the API answered 500");
  expect(summary).toMatchObject({ atLeast: true });
});

it("counts no cost before for a replaced object already deleted", async () => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.run().of(type).delete(state.id, state.outs);
  const { lines, summary, commandLine } = await previewed(state, { bandwidthMbps: 500 });
  expect(lines.at(-1)).toBe(
    "the API no longer shows the replaced connect connection; $0.00/mo → $781.25/mo (+$781.25/mo)",
  );
  expect(summary).toMatchObject({ before: "0.00", after: "781.25", delta: "781.25" });
  expect(commandLine).toEqual(["0.00", "781.25"]);
});

it("counts an adopted object before if the old one is deleted", async () => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.run().of(type).delete(state.id, state.outs);
  const { id } = await world.create(type, argsFor({}));
  const { summary } = await previewed(state, { adopt: id });
  expect(summary).toMatchObject({ before: "312.50", after: "312.50" });
});

it("an unchanged resource whose quote fails has unknown cost", async () => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.fault({ path: "/cost$", status: 500, every: 1 });
  const run = world.run({}, { environment: { CLOUDINFRA_REQUOTE: "true" } });
  const { inputs } = await run.of(type).check(state.inputs, sent(type, "x", argsFor({})));
  expect(inputs).not.toHaveProperty("cost");
  expect(costSide({ ...state, inputs }).unpriced?.status).toBe("unknown");
});

it("quotes a change as a new resource if changes have no quotes", async () => {
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.fault({ method: "PATCH", path: "/cost$", status: 405, every: 1 });
  const { lines, summary, commandLine } = await previewed(state, { tags: ["new"] });
  expect(lines).toEqual(["$312.50/mo as before"]);
  expect(summary).toMatchObject({ before: "312.50", after: "312.50", atLeast: false });
  expect(commandLine).toEqual(["312.50", "312.50"]);
});

it("asks again if the quote for a change failed", async () => {
  const first = await up(world.run(), type, argsFor({}), undefined);
  await world.fault({ path: "/cost$", status: 500, every: 1 });
  const second = await up(world.run(), type, argsFor({ bandwidthMbps: 500 }), first.state);
  expect(second.state.outs).not.toHaveProperty("cost");
  await world.clearFaults();
  const { lines, summary } = await previewed(second.state, { bandwidthMbps: 500 });
  expect(lines).toEqual(["$781.25/mo, not known until now"]);
  expect(summary).toMatchObject({ before: "781.25", after: "781.25", atLeast: false });
});

describe("a replacement that retains or adopts an object", () => {
  it("shows the new cost if the old object is retained", async () => {
    const run = world.run();
    const { state } = await up(run, type, argsFor({}), undefined);
    const { inputs } = await run.of(type).check(state.inputs, {
      ...sent(type, "x", argsFor({}), false),
      __retainOnDelete: true,
    });
    const { lines, summary } = await previewed({ ...state, inputs }, { bandwidthMbps: 500 }, world.run(), {
      __retainOnDelete: true,
    });
    expect(lines).toEqual([`the replaced object ${state.id} stays (retainOnDelete); +$781.25/mo`]);
    expect(summary).toMatchObject({ before: "312.50", after: "1093.75", delta: "781.25" });
  });

  it("counts an adopted object on both sides", async () => {
    const { state } = await up(world.run(), type, argsFor({}), undefined);
    const { id: made } = (await up(world.run(), type, argsFor({ bandwidthMbps: 500 }), undefined)).state;
    const { lines, summary } = await previewed(state, { bandwidthMbps: 500, adopt: made });
    expect(lines).toEqual([expect.stringMatching(/^adopts .*; \$781\.25\/mo as before$/)]);
    expect(summary).toMatchObject({ before: "1093.75", after: "781.25", delta: "-312.50" });
  });
});

it("counts no saving for a retained object", async () => {
  const run = world.run();
  await run.of(type).check({}, { ...sent(type, "x", argsFor({}), false), __retainOnDelete: true });
  const registered = (urns: readonly string[]): object => ({ __registered: { urns, late: [] }, __run: "mark" });
  const counted = await run
    .of("CostSummary")
    .check({}, { ...sent("CostSummary", "cost", {}, false), ...registered([urnOf(type, "x")]) });
  expect(counted.inputs["resources"]).toEqual([{ urn: urnOf(type, "x"), monthlyTotal: "312.50", retained: true }]);
  const next = world.run();
  const { inputs } = await next
    .of("CostSummary")
    .check(counted.inputs, { ...sent("CostSummary", "cost", {}), ...registered([]) });
  expect(inputs).toMatchObject({ before: "312.50", after: "312.50", delta: "0.00", resources: [] });
  expect(next.lines[0]?.text).toContain("kept at the API (retainOnDelete)");
});

it("quotes both sides if no quote was offered before", async () => {
  await world.fault({ path: "/cost$", status: 405, every: 1 });
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  await world.clearFaults();
  const { summary } = await previewed(state, { bandwidthMbps: 500 });
  expect(summary).toMatchObject({ before: "312.50", after: "781.25", atLeast: false });
});

it("quotes an unchanged resource again that had no quote", async () => {
  await world.fault({ path: "/cost$", status: 405, every: 1 });
  const { state } = await up(world.run(), type, argsFor({}), undefined);
  expect((await previewed(state, {})).lines).toEqual([]);
  await world.clearFaults();
  const { lines, summary } = await previewed(state, {});
  expect(lines).toEqual(["$312.50/mo, not known until now"]);
  expect(summary).toMatchObject({ before: "312.50", after: "312.50", atLeast: false });
});

it("an object created in another size has that size's cost", async () => {
  const { outs } = await world.create("Volume", { size: 50 });
  proxy.on(
    { method: "POST", path: /volumes$/ },
    rewriteRequest((body) => ({ ...body, size: 50 })),
  );
  const stack = new MiniStack();
  const { failures } = await stack.up(world.run({ baseUrl: proxy.url }), [world.declare("Volume", { size: 100 })]);
  expect(failures).toHaveLength(1);
  const { monthlyTotal } = outs["cost"] as { monthlyTotal: string };
  expect(stack.stateOf("x").outs).toMatchObject({ size: 50, cost: { monthlyTotal } });
});

it("keeps a new object if its price is answered 401", async () => {
  proxy.on(
    { method: "POST", path: /volumes$/ },
    rewriteRequest((body) => {
      proxy.on({ method: "POST", path: /cost$/ }, answer(401, {}));
      return { ...body, size: 50 };
    }),
  );
  const stack = new MiniStack();
  const { failures } = await stack.up(world.run({ baseUrl: proxy.url }), [world.declare("Volume", { size: 100 })]);
  expect(failures).toHaveLength(1);
  expect(stack.stateOf("x").outs).toMatchObject({ size: 50 });
  expect(stack.stateOf("x").outs).not.toHaveProperty("cost");
});
