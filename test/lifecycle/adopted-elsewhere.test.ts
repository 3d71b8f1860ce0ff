import { sent } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

it("an object that another stack or provider has adopted is not taken up by the one whose run was killed", async () => {
  const journal = new MemoryJournal();
  const args = argsOf("FirewallRule", world.simulator);
  const { id } = await world.create("FirewallRule", args, { run: world.run({}, { journal }) });
  await journal.untell(); // killed before the engine had the answer

  const name = (await world.made("FirewallRule"))[0]!.name;
  const elsewhere = world.run({}, { journal, provider: "other" });
  await world.create("FirewallRule", { ...args, name, adopt: id }, { name: "kept", run: elsewhere });

  const again = world.run({}, { journal });
  const lifecycle = again.of("FirewallRule");
  const { inputs } = await lifecycle.check({}, sent("FirewallRule", "x", args, false));
  expect((await lifecycle.create(inputs)).id).not.toBe(id);
  expect(again.lines.map(({ text }) => text).join("\n")).toContain(
    `It had made ${id}, and told Pulumi, so that a state may have it`,
  );
});
