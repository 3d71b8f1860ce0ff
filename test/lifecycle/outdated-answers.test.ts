import { harmless, madeTypes } from "../kinds";
import { MiniStack } from "../support/mini-engine";
import type { Declaration } from "../support/mini-state";
import { answer, dropBefore } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

describe.each(madeTypes)("when a cache answers with an older version of a %s", (type) => {
  const run = () => world.run({ baseUrl: proxy.url });
  const [old, changed] = [harmless(type, "old"), harmless(type, "new")];
  const program = (args: object): readonly Declaration[] => [
    { type, name: "x", args: () => ({ ...argsOf(type, world.simulator), ...args }) },
  ];
  const held = async (): Promise<unknown> => (await world.made(type))[0];
  const inState = (stack: MiniStack): unknown => stack.stateOf("x").outs;

  /** A stack whose object has changed since the cache has seen it. `nth`: the answers that come from the cache. Default: all. */
  async function changedSince(nth?: readonly number[]): Promise<MiniStack> {
    const stack = new MiniStack();
    expect((await stack.up(run(), program(old))).failures).toEqual([]);
    const [cached] = await world.made(type);
    world.clock.advance(120_000);
    expect((await stack.up(run(), program(changed))).failures).toEqual([]);
    proxy.on(
      { method: "GET", path: new RegExp(`/${cached?.id ?? ""}$`), ...(nth && { nth }) },
      answer(200, { ...cached }),
    );
    return stack;
  }

  it("repeats in the next run a revert whose request was lost", async () => {
    const stack = await changedSince();
    proxy.on(requests.updates, dropBefore);
    expect((await stack.up(run(), program(old))).failures).toHaveLength(1);
    expect(await held()).toMatchObject(changed);
    proxy.clear();
    expect((await stack.up(run(), program(old))).failures).toEqual([]);
    expect([inState(stack), await held()]).toMatchObject([old, old]);
  });

  it("reads the object again in a refresh", async () => {
    const stack = await changedSince([1, 2]);
    const last = run();
    expect(await stack.refresh(last)).toEqual([]);
    expect([inState(stack), last.warnings()]).toMatchObject([changed, []]);
  });

  it("accepts an outdated answer that persists in a refresh, and warns", async () => {
    const stack = await changedSince();
    const last = run();
    expect(await stack.refresh(last)).toEqual([]);
    expect(inState(stack)).toMatchObject(old);
    expect(last.warnings()).toEqual([expect.stringMatching(/shows the object as it was on .+ the API was set back/)]);
  });
});
