import { MiniStack } from "../support/mini-engine";
import type { Declaration } from "../support/mini-state";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

const names = ["a", "b", "c", "d", "e"];
const TEN_MINUTES_MS = 600_000;

const declared = (type: string, args: object): readonly Declaration[] =>
  names.map((name) => ({ type, name, args: () => ({ ...argsOf(type, world.simulator), ...args }) }));

/** A stack that is brought up with each of the arguments, before a time in which lists do not change. */
async function broughtUp(type: string, ...versions: readonly object[]): Promise<MiniStack> {
  const stack = new MiniStack();
  for (const args of versions) {
    await world.lag({ lists: "10m" });
    expect((await stack.up(world.run(), declared(type, args))).failures).toEqual([]);
    if (args !== versions.at(-1)) world.clock.advance(2 * TEN_MINUTES_MS);
  }
  return stack;
}

/** What the state has of a field after a refresh. */
async function refreshed(stack: MiniStack, field: string): Promise<readonly unknown[]> {
  const before = (await world.requests()).length;
  expect(await stack.refresh(world.run(), { isParallel: true })).toEqual([]);
  expect((await world.requests()).slice(before)).toContainEqual(expect.stringMatching(/(vms|volumes)$/)); // a list
  return names.map((name) => stack.stateOf(name).outs[field]);
}

it("asks by id for objects that a list shows outdated", async () => {
  const stack = await broughtUp("Volume", { tags: ["old"] }, { tags: ["new"] });
  expect(await refreshed(stack, "tags")).toEqual(names.map(() => ["new"]));
});

it("asks by id for parts that a list shows outdated", async () => {
  const size = (gb: number): object => argsOf("Vm", world.simulator, { bootVolume: { size: gb } });
  const stack = await broughtUp("Vm", size(64), size(80));
  expect(await refreshed(stack, "bootVolume")).toMatchObject(names.map(() => ({ size: 80 })));
});

it("asks by id for objects that a list lacks", async () => {
  const stack = await broughtUp("Volume", { tags: ["new"] });
  expect(await refreshed(stack, "tags")).toEqual(names.map(() => ["new"]));
});

it("uses a list that shows an outside change", async () => {
  const stack = await broughtUp("Volume", { tags: ["old"] });
  for (const name of names)
    await world.api("PATCH", `/v1/compute/volumes/${stack.stateOf(name).id}`, { tags: ["theirs"] });
  await world.lag({ lists: "0" });
  world.clock.advance(TEN_MINUTES_MS);
  const before = (await world.requests()).length;
  expect(await refreshed(stack, "tags")).toEqual(names.map(() => ["theirs"]));
  expect((await world.requests()).slice(before).filter((text) => text.endsWith("volumes/ID"))).toEqual([]);
});
