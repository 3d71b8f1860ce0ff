import type { PluginCalls } from "../../src/dynamic/plugin-calls";
import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { argsOf, World } from "../support/world";

const type = "FirewallRule";
let world: World;
let journal: MemoryJournal;

beforeAll(async () => {
  world = await World.start();
});
beforeEach(async () => {
  await world.reset();
  journal = new MemoryJournal();
});
afterAll(() => world.close());

type Made = Awaited<ReturnType<PluginCalls["create"]>>;

/** Creates the rule of a stack of Pulumi Cloud. */
async function make(organization: string | undefined, run: TestRun = world.run({}, { journal })): Promise<Made> {
  const program = { ...sent(type, "x", argsOf(type, world.simulator), false), __organization: organization };
  const { inputs } = await run.of(type).check({}, program);
  expect(inputs).not.toHaveProperty("__organization"); // the state is as it was
  return run.of(type).create(inputs);
}

describe("when a run of a stack in Pulumi Cloud was interrupted", () => {
  it("one of another organization's stack of the same name takes nothing of it, and one of its own does", async () => {
    const { id } = await make("acme");
    await journal.untell();
    expect((await make("other")).id).not.toBe(id);
    expect((await make("acme")).id).toBe(id);
  });

  it("and nobody said whose stack it was, it is found", async () => {
    const { id } = await make(undefined);
    await journal.untell();
    expect((await make("acme")).id).toBe(id);
  });

  it("a deletion, for which nobody says whose stack it is, ends the entry of what the state has", async () => {
    const { id, outs } = await make("acme");
    await world.run({}, { journal }).of(type).delete(id, outs);
    expect(journal.entries).toEqual([]);
  });

  it("an update that refreshes first takes nothing of another organization's", async () => {
    const { id } = await make("acme");
    await journal.untell();
    const run = world.run({}, { journal });
    const refreshed = await make("other", world.run());
    await run.of(type).read(refreshed.id, refreshed.outs);
    expect((await make("other", run)).id).not.toBe(id);
  });
});
