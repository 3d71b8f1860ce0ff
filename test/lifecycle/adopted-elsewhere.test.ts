import { sent, type TestRun } from "../support/lifecycle";
import { thisProcess } from "../../src/process/process-identity";
import { MemoryJournal } from "../support/memory-journal";
import { plain } from "../support/mini-state";
import { World } from "../support/world";

const world = World.forSuite();

const type = "FirewallRule";
type Elsewhere = (run: TestRun, args: Readonly<Record<string, unknown>>, id: string) => Promise<unknown>;

/**
 * Resolves with the failures of the import. `isRead`: whether the program also reads the object, after the import has
 * read it.
 */
async function imported(
  run: TestRun,
  args: Readonly<Record<string, unknown>>,
  id: string,
  { kind = type, isRead = false } = {},
): Promise<string[]> {
  const lifecycle = run.of(kind);
  const program = sent(kind, "kept", args, false);
  const { props = {} } = await lifecycle.read(id, program);
  if (isRead) await lifecycle.read(id, sent(kind, "ref", args, false));
  const { inputs, failures } = await lifecycle.check({}, program);
  await lifecycle.diff(id, plain(props) as Readonly<Record<string, unknown>>, inputs);
  return failures.map(({ reason }) => reason);
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
  [
    "imported, although the log fails,",
    false,
    async (run, args, id) => {
      await world.fault({ method: "GET", path: "/audit_logs", status: 500, times: 5 });
      expect(await imported(run, args, id)).toEqual([expect.stringContaining("failed: 500")]);
      await world.clearFaults();
    },
  ],
  ["imported and read", false, (run, args, id) => imported(run, args, id, { isRead: true })],
])("leaves an object that is %s elsewhere, answered: %s", async (_how, isAnswered, takes) => {
  const journal = new MemoryJournal();
  const args = world.args(type);
  const { id } = await world.create(type, args, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered });

  const name = (await world.made(type))[0]!.name;
  const elsewhere = world.run({}, { journal, provider: "other" });
  await takes(elsewhere, { ...args, name }, id);

  const again = world.run({}, { journal });
  const lifecycle = again.of(type);
  const { inputs } = await lifecycle.check({}, sent(type, "x", args, false));
  expect((await lifecycle.create(inputs)).id).not.toBe(id);
  expect(again.warnings().join("\n")).toContain(
    `It had made ${id}, which a resource has adopted, imported or received, so that a state may have it`,
  );
});

it("names adopted objects of its kind that an unclear creation may have made", async () => {
  const journal = new MemoryJournal();
  await world.create(type, { name: "web" }, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered: false });
  const elsewhere = world.run({}, { journal, provider: "other" });
  await world.forbidAuditLog();
  const [adopt = ""] = await world.ids(type);
  await world.create(type, { name: "web", adopt }, { name: "kept", run: elsewhere });
  const volume = await world.create("Volume");
  await world.create("Volume", { adopt: volume.id }, { name: "kept", run: elsewhere });
  const again = world.run({}, { journal });
  await world.create(type, { name: "web" }, { run: again });
  expect(journal.adopted.map((each) => each.type)).toEqual([type, "Volume"]);
  expect(again.texts().join("\n")).toContain(`Resources have adopted ${adopt}: it may be one of these.`);
});

it("an import closes no entry of another kind", async () => {
  const journal = new MemoryJournal();
  const name = "web";
  await world.create(type, { name }, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered: false });
  const args = world.args("Volume", { name });
  const { id } = await world.create("Volume", args);
  await imported(world.run({}, { journal, provider: "other" }), args, id, { kind: "Volume" });
  expect(journal.entries.map(({ isHandedOver }) => isHandedOver)).toEqual([undefined]);
});

it("an import without a log reports a running creation of its name", async () => {
  const journal = new MemoryJournal();
  const args = world.args(type, { name: "web" });
  const { id } = await world.create(type, args, { run: world.run({}, { journal }) });
  await journal.undoHandOver({ isAnswered: false });
  await journal.write({ ...journal.entries[0]!, sender: { pid: process.ppid, space: thisProcess().space } });
  await world.fault({ method: "GET", path: "/audit_logs", status: 403, every: 1 });
  const elsewhere = world.run({}, { journal, provider: "other" });
  expect(await imported(elsewhere, args, id)).toEqual([
    expect.stringContaining("Another process works on the firewall"),
  ]);
  expect(journal.adopted).toEqual([{ type, id }]); // the state has it
});
