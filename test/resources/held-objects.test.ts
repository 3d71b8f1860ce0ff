import { up } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

it.each([
  ["Vpc", "FirewallRule", "vpcId", "VPC", "firewall rule"],
  ["NksCluster", "NksNodePool", "clusterId", "NKS cluster", "node pool"],
])("a %s that is kept names the %s that keeps it", async (type, childType, parentId, noun, childNoun) => {
  const { state } = await up(world.run(), type, argsOf(type, world.simulator), undefined);
  const { cidr } = { ...(state.outs["subnet"] as { readonly cidr?: string } | undefined) };
  const inside = { [parentId]: state.id, ...(cidr !== undefined && { destinationAddress: cidr }) };
  const child = await up(world.run(), childType, { ...argsOf(childType, world.simulator), ...inside }, undefined);

  await expect(world.run().of(type).delete(state.id, state.outs)).rejects.toThrow(
    `${noun} ${state.id} was not deleted, because it still has the ${childNoun} ${child.state.id}. Delete or move that first`,
  );
});
