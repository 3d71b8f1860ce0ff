import { sent, withFacts, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { World } from "../support/world";

const world = World.forSuite();
const journal = MemoryJournal.forSuite();

describe("a resource that moves to the other provider after a lost response", () => {
  const [dynamic, native] = ["pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:"];
  const volume = (...tokens: string[]): string => `urn:pulumi:dev::test::${tokens.join("$")}::x`;

  /** Creates a volume whose response is lost, then one under the other URN. Resolves with what the API has. */
  async function made(before: string, after: string): Promise<number> {
    const create = async (urn: string): Promise<void> => {
      const lifecycle = world.run({}, { journal }).of("Volume");
      const given = withFacts(sent("Volume", "x", world.args("Volume"), false), { urn });
      await lifecycle.create((await lifecycle.check({}, given)).inputs);
    };
    await world.fault({ method: "POST", path: "volumes$", drop: "after" });
    await world.fault({ method: "GET", path: "^/v1/audit_logs$", status: 403, every: 1 });
    await expect(create(before)).rejects.toThrow("may have");
    await world.clearFaults();
    await create(after);
    return (await world.made("Volume")).length;
  }

  const moves = [
    ["alone", volume(`${dynamic}Volume`), volume(`${native}Volume`)],
    ["back", volume(`${native}Volume`), volume(`${dynamic}Volume`)],
    ["with its parent", volume(`${dynamic}Vpc`, `${dynamic}Volume`), volume(`${native}Vpc`, `${native}Volume`)],
    ["after its parent", volume(`${native}Vpc`, `${dynamic}Volume`), volume(`${native}Vpc`, `${native}Volume`)],
  ] as const;
  it.each(moves)("makes a resource only once if it moves %s", async (_how, before, after) => {
    expect(await made(before, after)).toBe(1);
    expect(journal.entries).toHaveLength(1);
  });

  it.each([
    ["another parent", volume(`${dynamic}Vpc`, `${dynamic}Volume`), volume(`${native}Volume`)],
    ["another name", volume(`${dynamic}Volume`), `${volume(`${native}Volume`)}y`],
    ["another stack", volume(`${dynamic}Volume`), volume(`${native}Volume`).replace(":dev:", ":prod:")],
  ])("does not take a resource with %s for the moved one", async (_case, before, after) => {
    expect(await made(before, after)).toBe(2);
  });
});

/** Creates the rule of a stack of Pulumi Cloud. */
async function make(organization: string | undefined, run: TestRun = world.run({}, { journal })) {
  const program = withFacts(sent("FirewallRule", "x", world.args("FirewallRule"), false), {
    organization,
  });
  const { inputs } = await run.of("FirewallRule").check({}, program);
  expect(inputs).not.toHaveProperty("__program"); // the state is as it was
  return run.of("FirewallRule").create(inputs);
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

  it("does not take over another organization's object after a refresh", async () => {
    const { id } = await make("acme");
    await journal.undoHandOver();
    const run = world.run({}, { journal });
    const refreshed = await make("other", world.run());
    await run.of("FirewallRule").read(refreshed.id, refreshed.outs);
    expect((await make("other", run)).id).not.toBe(id);
  });
});
