import { kindsInside } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import { argsElsewhere } from "../kinds/support/claims";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

const held = definitions.flatMap((parent) =>
  kindsInside(parent, definitions).map(
    ([child, input]) => [parent.type, child.type, { parent, child, input }] as const,
  ),
);

it.each(held)("refuses to delete a %s, naming its %s", async (type, childType, { parent, child, input }) => {
  const args = await argsElsewhere(world, childType, parent, input);
  const { id } = await world.create(childType, { ...argsOf(childType, world.simulator), ...args });
  await expect(world.run().of(type).delete(String(args[input]), {})).rejects.toThrow(
    `${parent.noun} ${String(args[input])} was not deleted, because it still has the ${child.noun} ${id}. Delete or move what keeps it`,
  );
});

it("fails with 409 if the key may not list children", async () => {
  const [, , { parent, child, input }] = held[0]!;
  const args = await argsElsewhere(world, child.type, parent, input);
  await world.create(child.type, { ...argsOf(child.type, world.simulator), ...args });
  await world.fault({ method: "GET", path: `${child.path.replace(/{\w+}/, "[^/]+")}$`, status: 403, every: 1 });
  await expect(world.run().of(parent.type).delete(String(args[input]), {})).rejects.toThrow("answered 409");
});

it("does not name a child that only a late list shows", async () => {
  const [, , { parent, child, input }] = held[0]!;
  const args = await argsElsewhere(world, child.type, parent, input);
  const { id } = await world.create(child.type, { ...argsOf(child.type, world.simulator), ...args });
  await world.fault({ method: "GET", path: `/${id}$`, status: 404, every: 1 });
  await expect(world.run().of(parent.type).delete(String(args[input]), {})).rejects.toThrow("answered 409");
});
