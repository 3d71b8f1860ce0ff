import { listedBy } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import { sent } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { NOWHERE, World } from "../support/world";

const world = World.forSuite();

const listed = definitions.filter((each) => listedBy(each) !== undefined).map(({ type }) => type);

it.each(listed)("reads each %s by id if its project is unknown", async (type) => {
  const names = Array.from({ length: 5 }, (_, index) => `x${index}`);
  const stack = new MiniStack();
  const program = names.map((name) => world.declare(type, {}, name));
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  const references = stack.resources.map((kept) => ({ ...kept, outs: { ...kept.outs, projectId: undefined } }));

  const before = (await world.requests()).length;
  const refreshed = new MiniStack(references);
  expect(await refreshed.refresh(world.run(), { isParallel: true })).toEqual([]);
  const reads = (await world.requests()).slice(before);
  const { path = "" } = definitions.find((definition) => definition.type === type) ?? {};
  expect(reads.filter((request) => request.startsWith(`GET ${path}`))).toEqual(names.map(() => `GET ${path}/ID`));
  // The state has the API's values again.
  for (const { outs } of refreshed.resources) expect(outs["projectId"]).toBe(world.simulator.projectId);
});

it("a get has the defaults of inputs that the API lacks", async () => {
  const { id } = await world.create("NksCluster");
  const { props } = await world
    .run()
    .of("NksCluster")
    .read(id, sent("NksCluster", "ref", {}, false));
  expect(props).toMatchObject({ replaceOnVersionChange: false });
});

it.each([
  ["FirewallRule", `The id ${NOWHERE} alone is not enough: give its vpcId too`],
  ["ConnectConnection", `There is no connect connection with the id ${NOWHERE}`],
])("%s.get says why the id is not enough", async (type, reason) => {
  await expect(
    world
      .run()
      .of(type)
      .read(NOWHERE, sent(type, "x", {})),
  ).rejects.toThrow(reason);
});
