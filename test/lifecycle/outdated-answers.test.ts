import { harmless, madeTypes } from "../kinds";
import { MiniStack } from "../support/mini-engine";
import type { Declaration } from "../support/mini-state";
import { answer, dropBefore } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);
const HOUR_MS = 3_600_000;

describe.each(madeTypes)("when a cache answers with an older version of a %s", (type) => {
  /** `aheadMs`: of this machine's clock. */
  const run = (aheadMs = 0) => world.run({ baseUrl: proxy.url, costQuotes: "false" }, { aheadMs });
  const [old, changed] = [harmless(type, "old"), harmless(type, "new")];
  const program = (args: object): readonly Declaration[] => [world.declare(type, args)];
  const held = async (): Promise<unknown> => (await world.made(type))[0];
  const inState = (stack: MiniStack): unknown => stack.stateOf("x").outs;

  /**
   * A stack whose object has changed since the cache has seen it. `nth`: the answers that come from the cache. Default:
   * all.
   */
  async function changedSince(nth?: readonly number[]): Promise<MiniStack> {
    const stack = new MiniStack();
    expect((await stack.up(run(), program(old))).failures).toEqual([]);
    const [cached] = await world.made(type);
    world.clock.advance(120_000);
    expect((await stack.up(run(), program(changed))).failures).toEqual([]);
    proxy.on(
      { method: "GET", path: new RegExp(`/${cached?.id ?? ""}$`), ...(nth && { nth }) },
      answer(200, { ...cached }, { date: new Date(world.clock.now()).toUTCString() }),
    );
    return stack;
  }

  it("repeats in the next run a revert whose request was lost", async () => {
    const stack = await changedSince();
    proxy.on(requests.updates, dropBefore);
    expect((await stack.up(run(-120_000), program(old))).failures).toHaveLength(1);
    expect(await held()).toMatchObject(changed);
    proxy.clear();
    expect((await stack.up(run(-120_000), program(old))).failures).toEqual([]);
    expect([inState(stack), await held()]).toMatchObject([old, old]);
  });

  it("reads the object again in a refresh", async () => {
    const stack = await changedSince([1, 2]);
    const last = run();
    expect(await stack.refresh(last)).toEqual([]);
    expect([inState(stack), last.warnings()]).toMatchObject([changed, []]);
  });

  it("changes an object from before the API's clock was set back", async () => {
    const stack = new MiniStack();
    world.clock.advance(5 * HOUR_MS);
    expect((await stack.up(run(), program(old))).failures).toEqual([]);
    world.clock.advance(-5 * HOUR_MS);
    expect((await stack.up(run(), program(changed))).failures).toEqual([]);
    expect([inState(stack), await held()]).toMatchObject([changed, changed]);
  });

  it("accepts an outdated answer that persists in a refresh, and warns", async () => {
    const stack = await changedSince();
    const last = run();
    expect(await stack.refresh(last)).toEqual([]);
    expect(inState(stack)).toMatchObject(old);
    expect(last.warnings()).toEqual([
      expect.stringMatching(/shows the object as it was on .+ the API was set back: `pulumi refresh` accepts that/),
    ]);
  });
});

it.each([
  [403, { type: "AUTHORIZATION_ERROR", message: "no" }],
  [200, { name: 7 }],
])("a refresh accepts no answer %i instead of the object", async (status, body) => {
  const stack = new MiniStack();
  expect((await stack.up(world.run(), [world.declare("Volume")])).failures).toEqual([]);
  const last = world.run({ baseUrl: proxy.url });
  proxy.on({ method: "GET", path: /\/volumes\//, nth: [1, 2] }, answer(status, body));
  expect(await stack.refresh(last)).toHaveLength(1);
  expect(last.warnings()).toEqual([]);
});

const names = ["a", "b", "c", "d", "e"];
const TEN_MINUTES_MS = 600_000;

const declared = (type: string, args: object): readonly Declaration[] =>
  names.map((name) => world.declare(type, args, name));

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
  const size = (gb: number): object => world.args("Vm", { bootVolume: { size: gb } });
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
