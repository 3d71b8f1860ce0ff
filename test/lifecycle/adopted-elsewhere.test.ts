import { sent, type TestRun } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

const type = "FirewallRule";
type Elsewhere = (run: TestRun, args: Readonly<Record<string, unknown>>, id: string) => Promise<unknown>;

async function imported(run: TestRun, args: Readonly<Record<string, unknown>>, id: string, kind = type): Promise<void> {
  const lifecycle = run.of(kind);
  const program = sent(kind, "kept", args, false);
  const { props = {} } = await lifecycle.read(id, program);
  const { inputs } = await lifecycle.check({}, program);
  await lifecycle.diff(id, plain(props) as Readonly<Record<string, unknown>>, inputs);
}

it.each<readonly [string, boolean, Elsewhere]>([
  ["adopted", true, (run, args, id) => world.create(type, { ...args, adopt: id }, { name: "kept", run })],
  [
    "adopted without the log",
    false,
    async (run, args, id) => {
      await world.fault({ method: "GET", path: "/audit_logs", status: 403, times: 1 });
      await world.create(type, { ...args, adopt: id }, { name: "kept", run });
    },
  ],
  ["imported", true, imported],
  ["imported", false, imported],
])("leaves an object that is %s elsewhere, answered: %s", async (_how, isAnswered, takes) => {
  const journal = new MemoryJournal();
  const args = argsOf(type, world.simulator);
  const { id } = await world.create(type, args, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered });

  const name = (await world.made(type))[0]!.name;
  const elsewhere = world.run({}, { journal, provider: "other" });
  await takes(elsewhere, { ...args, name }, id);

  const again = world.run({}, { journal });
  const lifecycle = again.of(type);
  const { inputs } = await lifecycle.check({}, sent(type, "x", args, false));
  expect((await lifecycle.create(inputs)).id).not.toBe(id);
  expect(again.texts().join("\n")).toContain(`It had made ${id}, and Pulumi received it, so that a state may have it`);
});

it("an import closes no entry of another kind", async () => {
  const journal = new MemoryJournal();
  const name = "web";
  await world.create(type, { ...argsOf(type, world.simulator), name }, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered: false });
  const args = { ...argsOf("Volume", world.simulator), name };
  const { id } = await world.create("Volume", args);
  await imported(world.run({}, { journal, provider: "other" }), args, id, "Volume");
  expect(journal.entries.map(({ isHandedOver }) => isHandedOver)).toEqual([undefined]);
});
