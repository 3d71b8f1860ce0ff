import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import type { StateEntry } from "../support/mini-state";
import { argsOf, World } from "../support/world";

const type = "ConnectConnection";
let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterEach(() => world.reset());
afterAll(() => world.close());

/** A summary of these resources, after their checks. */
async function summaryOf(
  run: TestRun,
  names: readonly string[],
  previous: object = {},
): Promise<Record<string, unknown>> {
  const registered = { __registered: { urns: names.map((name) => urnOf(type, name)), late: [] }, __run: "mark" };
  const { inputs } = await run
    .of("CostSummary")
    .check({ ...previous }, { ...sent("CostSummary", "cost", {}), ...registered });
  return inputs;
}

/** A preview of a connection under another name, which an alias has given it. */
async function renamed(run: TestRun, state: StateEntry, args: object): Promise<void> {
  const lifecycle = run.of(type);
  const news = sent(type, "renamed", { ...argsOf(type, world.simulator), ...args });
  const { inputs } = await lifecycle.check(state.inputs, news);
  const { replaces = [] } = await lifecycle.diff(state.id, state.outs, { ...inputs, __provider: "loader" });
  if (replaces.length > 0) await lifecycle.check({}, news);
}

it.each([
  ["stays as it is", {}, "312.5"],
  ["is replaced at once", { bandwidthMbps: 500 }, "781.25"],
])("when a resource is renamed by an alias and %s, it is neither a saving nor new", async (_what, args, after) => {
  const first = world.run();
  const { state } = await up(first, type, argsOf(type, world.simulator), undefined, { name: "link" });
  const before = await summaryOf(first, ["link"]);
  expect(before).toMatchObject({ after: "312.5" });

  const run = world.run();
  await renamed(run, state, args);
  const summary = await summaryOf(run, ["renamed"], before);
  expect(summary).toMatchObject({ before: "312.5", after, delta: String(Number(after) - 312.5) });
});

it("when a resource is in the program no more, what it cost is saved", async () => {
  const first = world.run();
  await up(first, type, argsOf(type, world.simulator), undefined, { name: "link" });
  const before = await summaryOf(first, ["link"]);
  expect(await summaryOf(world.run(), [], before)).toMatchObject({ before: "312.5", after: "0", delta: "-312.5" });
});
