import { importId } from "../../src/definition/import-id";
import { kinds } from "../../src/resources/registry";
import { madeTypes } from "../kinds";
import { sent } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, Operation, Props } from "../support/mini-state";
import { World } from "../support/world";

const world = World.forSuite();

describe.each(madeTypes)("adopting a %s", (type) => {
  let stack: MiniStack;
  const nameOf = async (id: string): Promise<unknown> =>
    (await world.made(type)).find((each) => each.id === id)?.["name"];

  beforeEach(() => void (stack = new MiniStack()));

  /** A run of a resource that adopts this object, or is without `adopt`. Old objects stay. */
  async function up(object: Existing, { isAdopted = true } = {}): Promise<Operation | undefined> {
    const args = { ...object.args, ...(isAdopted && { adopt: object.importId }), __retainOnDelete: true };
    const program: Declaration = { type, name: "x", args: () => args };
    const { operations, failures } = await stack.up(world.run(), [program]);
    expect(failures).toEqual([]);
    return operations.get("x");
  }

  interface Existing {
    readonly id: string;
    readonly args: Props;
    readonly importId: string;
  }

  async function existing(name: string): Promise<Existing> {
    const args = world.args(type, { name });
    const { id } = await world.create(type, args, { name });
    const kind = kinds.find((each) => each.type === type)!;
    return { id, args, importId: importId(kind, id, args) };
  }

  it("adopts an object again after another one", async () => {
    const [one, two] = [await existing("one"), await existing("two")];
    expect([await up(one), await up(one)]).toEqual(["create", "same"]);
    expect(await up(two)).toBe("replace");
    expect(await up(one)).toBe("replace");
    expect(stack.stateOf("x").id).toBe(one.id);
    expect([await nameOf(one.id), await nameOf(two.id)]).toEqual(["one", "two"]);
    expect([await up(one, { isAdopted: false }), await up(one)]).toEqual(["same", "same"]);
    expect(await up(two)).toBe("replace");
    expect([await up(two, { isAdopted: false }), await up(one)]).toEqual(["same", "replace"]);
    expect(stack.stateOf("x").id).toBe(one.id);
    expect([await nameOf(one.id), await nameOf(two.id)]).toEqual(["one", "two"]);
  });

  it("ignores an adopt that was already carried out, even after a refresh", async () => {
    const one = await existing("one");
    const isUsed = async (): Promise<boolean> => {
      const { inputs, failures } = await world
        .run()
        .of(type)
        .check(stack.stateOf("x").inputs, sent(type, "x", { ...one.args, adopt: one.importId }));
      expect(failures).toEqual([]);
      return !("adopt" in inputs);
    };
    expect([await up(one), await isUsed()]).toEqual(["create", true]);
    expect([await up(one, { isAdopted: false }), await isUsed()]).toEqual(["same", true]);
    expect(await up(one, { isAdopted: false })).toBe("same");
    expect([await stack.refresh(world.run()), await isUsed()]).toEqual([[], true]);
  });
});
