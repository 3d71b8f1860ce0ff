import { takenOver } from "../kinds";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

it.each(takenOver)("an adopted %s gets the program's tags", async (type) => {
  const args = argsOf(type, world.simulator);
  const theirs = await world.create(type, { ...args, name: "mine", tags: ["theirs"] });
  const { id, outs } = await world.create(type, { ...args, name: "mine", tags: ["ours"], adopt: theirs.id });
  expect([id, outs["tags"]]).toEqual([theirs.id, ["ours"]]);
  expect(await world.made(type)).toMatchObject([{ id, tags: ["ours"] }]);
});
