import { kindsInside } from "../../src/definition/definition";
import type { Definition } from "../../src/definition/types";
import { definitions } from "../../src/resources/registry";
import { argsElsewhere } from "../kinds/support/claims";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

const held = definitions.flatMap((parent) =>
  kindsInside(parent, definitions).map(
    ([child, input]) => [parent.type, child.type, { parent, child, input }] as const,
  ),
);

/** The id of a new parent, and of an object in it. */
async function madeIn({
  parent,
  child,
  input,
}: (typeof held)[number][2]): Promise<readonly [parent: string, child: string]> {
  const args = await argsElsewhere(world, child.type, parent, input);
  const { id } = await world.create(child.type, { ...argsOf(child.type, world.simulator), ...args });
  return [String(args[input]), id];
}

it.each(held)("refuses to delete a %s, naming its %s", async (type, _childType, kinds) => {
  const [parentId, id] = await madeIn(kinds);
  const { parent, child } = kinds;
  await expect(world.run().of(type).delete(parentId, {})).rejects.toThrow(
    `${parent.noun} ${parentId} was not deleted, because it still has the ${child.noun} ${id}. Delete or move what keeps it`,
  );
});

it.each<[when: string, fault: (kinds: { readonly child: Definition }, id: string) => object]>([
  ["the key may not list children", ({ child }) => ({ path: `${child.path.replace(/{\w+}/, "[^/]+")}$`, status: 403 })],
  ["only a late list shows the child", (_kinds, id) => ({ path: `/${id}$`, status: 404 })],
])("names no child if %s", async (_when, fault) => {
  const [, , kinds] = held[0]!;
  const [parentId, id] = await madeIn(kinds);
  await world.fault({ method: "GET", every: 1, ...fault(kinds, id) });
  await expect(world.run().of(kinds.parent.type).delete(parentId, {})).rejects.toThrow("answered 409");
});
