import { up } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

it("names the firewall rules that keep a VPC", async () => {
  const { state } = await up(world.run(), "Vpc", {}, undefined);
  const rule = { ...argsOf("FirewallRule", world.simulator), vpcId: state.id };
  const { cidr } = state.outs["subnet"] as { readonly cidr: string };
  const made = await up(world.run(), "FirewallRule", { ...rule, destinationAddress: cidr }, undefined);

  await expect(world.run().of("Vpc").delete(state.id, state.outs)).rejects.toThrow(
    `VPC ${state.id} was not deleted, because it still has the firewall rule ${made.state.id}. Delete or move that first`,
  );
});
