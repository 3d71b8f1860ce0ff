import { sent } from "../support/lifecycle";
import { World } from "../support/world";

const NOWHERE = "00000000-0000-4000-8000-00000000dead";

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.close());

it("when get has a rule's id alone, it says what else is needed", async () => {
  await expect(
    world
      .run()
      .of("FirewallRule")
      .read(NOWHERE, sent("FirewallRule", "alone", {})),
  ).rejects.toThrow(`The id ${NOWHERE} alone is not enough: give its vpcId too`);
});

it("when get is asked for what is not there, it fails and names the id", async () => {
  await expect(
    world
      .run()
      .of("ConnectConnection")
      .read(NOWHERE, sent("ConnectConnection", "conn", {})),
  ).rejects.toThrow(`There is no connect connection with the id ${NOWHERE}`);
});
