import { isRecord } from "../../src/definition/compare-values";
import type { Definition } from "../../src/definition/types";
import { wireName } from "../../src/definition/wire";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, collectionOf, World } from "../support/world";
import { descriptorOf } from ".";
import { madeKinds, replacementIn } from "./support/claims";

const world = World.forSuite();

it.each(madeKinds)("forbids shrinking the same fields of %s as the API", async (type, _kind, { inputs }) => {
  const faults: string[] = [];
  const args = argsOf(type, world.simulator);
  const amounts = Object.entries(inputs).flatMap(([name, { type: of, change, local, default: none }]) =>
    of.kind === "integer" && change !== "replace" && local !== true
      ? [[name, Number(args[name] ?? none ?? of.min ?? 1)] as const]
      : [],
  );
  const more = Object.fromEntries(amounts.map(([name, amount]) => [name, amount + 1]));
  const { id } = await world.create(type, { ...args, ...more });
  for (const [name, amount] of amounts) {
    const growsOnly = inputs[name]?.growsOnly === true;
    const path = `${collectionOf(type, world.simulator)}/${id}`;
    const isRefused = await world.api("PATCH", path, { [wireName(name, inputs[name]!)]: amount }).then(
      () => false,
      () => true,
    );
    if (isRefused && !growsOnly) faults.push(`${type}.${name}: the API refuses a smaller value, so say growsOnly`);
    if (!isRefused && growsOnly) faults.push(`${type}.${name}: growsOnly, and the API accepts a smaller value`);
  }
  expect(faults).toEqual([]);
});

describe("the members of a part", () => {
  const parts = madeKinds.flatMap(([type, , { inputs }]) =>
    Object.entries(inputs).flatMap(([name, { type: of, part }]) => {
      const shape = of.kind === "list" ? of.item : of;
      return part && shape.kind === "object" ? [[`${type}.${name}`, shape.members, part.of] as const] : [];
    }),
  );

  it.each(parts)("%s grow and replace like the fields of their kind", (path, members, of) => {
    for (const [name, { growsOnly = false, change = "update" }] of Object.entries(members)) {
      const own = of.inputs[name];
      if (own === undefined || name === "name") continue;
      expect([`${path}.${name}`, growsOnly, change]).toEqual([
        `${path}.${name}`,
        own.growsOnly ?? false,
        own.change ?? "update",
      ]);
    }
  });
});

describe.each(madeKinds)("fields of %s that only grow", (type, kind, { inputs }) => {
  it("rejects a smaller value, but not in a replacement", async () => {
    const given = { ...argsOf(type, world.simulator), ...descriptorOf(type).others };
    const smallerIn = (values: Readonly<Record<string, unknown>>): Smaller[] =>
      Object.entries(inputs).flatMap(([name, field]) => smallerOf(name, field, values[name]));
    for (const { path, args } of smallerIn(given)) {
      const { state } = await up(world.run(), type, given, undefined);
      await expect(preview(world.run(), type, { ...given, ...args }, state)).rejects.toThrow(
        `${path}: cannot become smaller`,
      );
      const another = { ...given, ...(await replacementIn(world, kind)) };
      const smaller = smallerIn(another).find((each) => each.path === path)?.args;
      const { operation: done } = await preview(world.run(), type, { ...another, ...smaller }, state);
      expect([path, done]).toEqual([path, "replace"]);
      await world.reset();
    }
  });
});

interface Smaller {
  readonly path: string;
  readonly args: Record<string, unknown>;
}

/** The arguments with each number reduced by one if it can only grow. */
function smallerOf(
  name: string,
  { type, growsOnly }: { type: Definition["inputs"][string]["type"]; growsOnly?: boolean },
  value: unknown,
): Smaller[] {
  if (growsOnly === true && typeof value === "number") return [{ path: name, args: { [name]: value - 1 } }];
  if (type.kind === "object" && isRecord(value))
    return Object.entries(type.members).flatMap(([member, field]) =>
      smallerOf(member, field, value[member]).map(({ path, args }) => ({
        path: `${name}.${path}`,
        args: { [name]: { ...value, ...args } },
      })),
    );
  if (type.kind === "list" && Array.isArray(value))
    return value.slice(0, 1).flatMap((item: unknown) =>
      smallerOf(`${name}[0]`, { type: type.item }, item).map(({ path, args }) => ({
        path,
        args: { [name]: Object.values(args) },
      })),
    );
  return [];
}
