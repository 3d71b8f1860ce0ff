import { takenOver } from "../kinds";
import { sent } from "../support/lifecycle";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

/** Time passes during requests, as with a real clock, so that concurrent calls overlap. */
async function untilNothingIsSent(): Promise<void> {
  for (let [calm, seen] = [0, -1]; calm < 5;) {
    const { length } = await world.requests();
    calm = length === seen ? calm + 1 : 0;
    seen = length;
  }
}

it.each(takenOver)("an adopted %s gets the program's tags", async (type) => {
  const args = argsOf(type, world.simulator);
  const theirs = await world.create(type, { ...args, name: "mine", tags: ["theirs"] });
  const { id, outs } = await world.create(type, { ...args, name: "mine", tags: ["ours"], adopt: theirs.id });
  expect([id, outs["tags"]]).toEqual([theirs.id, ["ours"]]);
  expect(await world.made(type)).toMatchObject([{ id, tags: ["ours"] }]);
});

it.each(takenOver)("concurrent adoptions show their changes with late lists: %s", async (type) => {
  const args = argsOf(type, world.simulator);
  const found = [
    await world.create(type, { ...args, name: "mine" }),
    await world.create(type, { ...args, name: "yours" }),
  ];
  await world.lag({ lists: "60s" });
  world.clock.advance(600_000);
  world.clock.onSleep = untilNothingIsSent;
  const run = world.run();
  const adopting = found.map(({ id, outs }) =>
    world.create(type, { ...args, name: outs["name"], tags: ["ours"], adopt: id }, { run, name: String(outs["name"]) }),
  );
  expect((await Promise.all(adopting)).map(({ outs }) => outs["tags"])).toEqual([["ours"], ["ours"]]);
});

it("the other data volumes of a VM are no change", async () => {
  const vm = argsOf("Vm", world.simulator, { name: "machine", dataVolumes: [{ name: "data", size: 10 }] });
  const { id } = await world.create("Vm", vm);
  const other = await world.create("Volume", argsOf("Volume", world.simulator));
  await world.api("POST", `/v1/compute/volumes/${other.id}/attach`, { vm_id: id });
  world.clock.advance(60_000);
  const run = world.run();
  await run.of("Vm").check({}, sent("Vm", "mine", { ...vm, adopt: id }, true));
  expect(run.lines.map(({ text }) => text)).toContainEqual(
    expect.stringMatching(new RegExp(`^adopts ${id}, changes nothing; \\$51\\.20/mo as before$`)),
  );
});
