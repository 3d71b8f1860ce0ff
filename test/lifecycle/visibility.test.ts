import { awaited, harmless, madeTypes } from "../kinds";
import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { answer, skewDate, upperCaseIds } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { collectionOf, World, type WireObject } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

describe.each(madeTypes)("a new %s", (type) => {
  const run = () => world.run({ baseUrl: proxy.url });
  const program = (args: object = {}) => [world.declare(type, args)];
  const held = (): Promise<WireObject[]> => world.made(type);
  const ids = async (): Promise<string[]> => (await held()).map(({ id }) => id);

  async function made(): Promise<MiniStack> {
    const stack = new MiniStack();
    expect((await stack.up(run(), program())).failures).toEqual([]);
    return stack;
  }

  /** State and API agree, and the next run has nothing to do. */
  async function expectAgreement(stack: MiniStack): Promise<void> {
    expect(stack.resources.map(({ id }) => id.toLowerCase())).toEqual(await ids());
    const after = run();
    const { failures, operations } = await stack.up(after, program());
    expect([failures, operations.get("x")]).toEqual([[], "same"]);
    expect(after.warnings()).toEqual([]);
    expect(await ids()).toHaveLength(1);
  }

  describe("that answers 404 for some seconds", () => {
    beforeEach(() => world.lag({ reads: "4s" }));

    it("waits for a hidden new object, and makes it once", async () => {
      await expectAgreement(await made());
    });

    it.each([0, 15, -15])("a refresh keeps a hidden new object with Date off by %d s", async (ahead) => {
      proxy.on({}, skewDate(ahead * 1000));
      const stack = await made();
      await world.lag({ reads: "8s" });
      expect(await stack.refresh(run())).toEqual([]);
      await expectAgreement(stack);
    });

    it("a refresh keeps a hidden object despite a clock jump", async () => {
      const stack = await made();
      await world.lag({ reads: "8s" });
      let aheadMs = 0;
      proxy.on({ nth: 1 }, (_request, forward) => {
        aheadMs = 60_000;
        return forward();
      });
      const jumping = world.run({ baseUrl: proxy.url }, { aheadMs: () => aheadMs });
      expect(await stack.refresh(jumping)).toEqual([]);
      await expectAgreement(stack);
    });

    it("changes a hidden new object", async () => {
      const stack = await made();
      await world.lag({ reads: "8s" });
      const { failures } = await stack.up(run(), program(harmless(type, "new")));
      expect(failures).toEqual([]);
      expect(await held()).toEqual([expect.objectContaining(harmless(type, "new"))]);
    });
  });

  it("deletes a hidden object although its deletion is answered 404", async () => {
    const stack = await made();
    await world.fault({ method: "DELETE", path: `/${stack.stateOf("x").id}$`, status: 404, times: 3 });
    expect((await stack.up(run(), [])).failures).toEqual([]);
    expect(await ids()).toEqual([]);
  });

  it("an object with a failed deletion still exists", async () => {
    const stack = await made();
    proxy.on({ method: "DELETE" }, answer(500));
    await world.lag({ reads: "8s" });
    const { failures } = await stack.up(run(), []);
    expect(failures).toHaveLength(1);
    expect(stack.resources.map(({ id }) => id)).toEqual(await ids());
  });

  it("a refresh removes a deleted object without waiting", async () => {
    const stack = await made();
    world.clock.advance(60_000);
    await world.api("DELETE", `${collectionOf(type, world.simulator)}/${stack.stateOf("x").id}`);
    world.clock.advance(60_000);
    const before = world.clock.now();
    expect(await stack.refresh(run())).toEqual([]);
    expect(stack.resources).toEqual([]);
    expect(world.clock.now() - before).toBeLessThan(1_000);
  });

  it("finds a hidden object by an id in upper case", async () => {
    proxy.on({}, upperCaseIds);
    const stack = await made();
    expect(stack.stateOf("x").id).toBe((await ids())[0]?.toUpperCase());
    expect(await stack.refresh(run())).toEqual([]);
    await expectAgreement(stack);
    const changed = world.args(type, { ...harmless(type, "new") });
    expect(await preview(run(), type, changed, stack.stateOf("x"))).toMatchObject({ operation: "update" });
    expect((await stack.up(run(), program(harmless(type, "new")))).failures).toEqual([]);
    expect((await stack.up(run(), [])).failures).toEqual([]);
    expect(await ids()).toEqual([]);
  });
});

describe.each(awaited)("a new %s that stays hidden until the time limit", (type) => {
  const program = [world.declare(type)];
  const ids = () => world.ids(type);

  it("fails with its id, and the next run continues", async () => {
    const stack = new MiniStack();
    await world.lag({ reads: "10m" });
    const { failures } = await stack.up(world.run({ operationTimeout: "30s" }), program);
    expect((failures[0]?.error as Error).message).toMatch(/the API accepted it as .*still answered 404 to it after/);
    expect(stack.resources.map(({ id }) => id)).toEqual(await ids());
    await world.lag({});
    const after = await stack.up(world.run(), program);
    expect(after.failures).toEqual([]);
    expect(stack.resources.map(({ id }) => id)).toEqual(await ids());
    expect(await ids()).toHaveLength(1);
  });
});
