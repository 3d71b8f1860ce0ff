import type { PluginCalls } from "../../src/dynamic/plugin-calls";
import { sent, withFacts, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { argsOf, World } from "../support/world";

const type = "FirewallRule";
const world = World.forSuite();
let journal: MemoryJournal;

beforeEach(async () => {
  await world.reset();
  journal = new MemoryJournal();
});

type Creation = Awaited<ReturnType<PluginCalls["create"]>>;

/** Creates the rule of a stack of Pulumi Cloud. */
async function make(organization: string | undefined, run: TestRun = world.run({}, { journal })): Promise<Creation> {
  const program = withFacts(sent(type, "x", argsOf(type, world.simulator), false), { organization });
  const { inputs } = await run.of(type).check({}, program);
  expect(inputs).not.toHaveProperty("__program"); // the state is as it was
  return run.of(type).create(inputs);
}

describe("an interrupted run of a stack in Pulumi Cloud", () => {
  it("takes over an object only in its own organization", async () => {
    const { id } = await make("acme");
    await journal.undoHandOver();
    expect((await make("other")).id).not.toBe(id);
    expect((await make("acme")).id).toBe(id);
  });

  it("takes over an object if no organization is known", async () => {
    const { id } = await make(undefined);
    await journal.undoHandOver();
    expect((await make("acme")).id).toBe(id);
  });

  it("a deletion ends the entry of an interrupted run", async () => {
    const { id, outs } = await make("acme");
    await world.run({}, { journal }).of(type).delete(id, outs);
    expect(journal.entries).toEqual([]);
  });

  it("does not take over another organization's object after a refresh", async () => {
    const { id } = await make("acme");
    await journal.undoHandOver();
    const run = world.run({}, { journal });
    const refreshed = await make("other", world.run());
    await run.of(type).read(refreshed.id, refreshed.outs);
    expect((await make("other", run)).id).not.toBe(id);
  });
});
