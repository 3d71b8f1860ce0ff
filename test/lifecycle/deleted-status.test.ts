import { importId } from "../../src/definition/import-id";
import { kinds } from "../../src/resources/registry";
import { MiniStack } from "../support/mini-engine";
import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { madeTypes } from "../kinds";
import { World } from "../support/world";
import { reasonsOf } from "./support/reasons";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

/** The kinds whose objects have a lifecycle. */
const types = madeTypes.filter(
  (type) => "status" in kinds.find((kind) => kind.type === type)!.outputs && type !== "ApiKey",
);

const looks = { method: "GET", path: /^(?!.*operations)/ };
const showDeleted = rewrite((shown) => ("status" in shown ? { ...shown, status: "deleted" } : shown));

describe.each(types)("a %s with the status deleted", (type) => {
  const failuresOf = async (stack: MiniStack, args: object = {}): Promise<readonly string[]> =>
    (await stack.up(world.run({ baseUrl: proxy.url }), [world.declare(type, args)])).messages;

  it("fails the creation of an object with the status deleted", async () => {
    const stack = new MiniStack();
    proxy.on(looks, showDeleted);
    expect(await failuresOf(stack)).toEqual([expect.stringContaining('with the status "deleted"')]);
    proxy.clear();
    expect(await failuresOf(stack)).toEqual([]);
  });

  it("fails its update, and is made anew after a refresh", async () => {
    const stack = new MiniStack();
    expect(await failuresOf(stack)).toEqual([]);
    const { id } = stack.stateOf("x");
    proxy.on(
      looks,
      rewrite((shown) => (shown["id"] === id ? { ...shown, status: "deleted" } : shown)),
    );
    expect(await failuresOf(stack, { tags: ["new"] })).toEqual([
      expect.stringContaining("something else has deleted it. Run `pulumi refresh`, and then again"),
    ]);
    expect(await stack.refresh(world.run({ baseUrl: proxy.url }))).toEqual([]);
    expect(await failuresOf(stack, { tags: ["new"] })).toEqual([]);
    expect(stack.stateOf("x").id).not.toBe(id);
  });

  it("refuses to adopt an object with the status deleted", async () => {
    const { id } = await world.create(type, {}, { name: "theirs" });
    const kind = kinds.find((each) => each.type === type)!;
    const args = world.args(type, { adopt: importId(kind, id, world.args(type)) });
    proxy.on(looks, showDeleted);
    const reasons = await reasonsOf(world.run({ baseUrl: proxy.url }), type, "x", args);
    expect(reasons.join()).toContain('with the status "deleted"');
  });
});
