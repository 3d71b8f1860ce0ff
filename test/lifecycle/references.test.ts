import { sent } from "../support/lifecycle";
import { World, NOWHERE } from "../support/world";

const world = World.forSuite();

it("FirewallRule.get says which ids it needs", async () => {
  await expect(
    world
      .run()
      .of("FirewallRule")
      .read(NOWHERE, sent("FirewallRule", "alone", {})),
  ).rejects.toThrow(`The id ${NOWHERE} alone is not enough: give its vpcId too`);
});

it("get of a missing object names the id", async () => {
  await expect(
    world
      .run()
      .of("ConnectConnection")
      .read(NOWHERE, sent("ConnectConnection", "conn", {})),
  ).rejects.toThrow(`There is no connect connection with the id ${NOWHERE}`);
});
