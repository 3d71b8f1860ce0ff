import { definitions } from "../../src/resources/definitions";
import { project } from "../../src/resources/project";
import { answer } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const vpcIn = (projectId: string) => world.create("Vpc", { projectId }, { name: "net" });
const nodeIn = (projectId: string, name: string) =>
  world.create("RpcNodeFlex", { projectId, blockchain: "ethereum", network: "mainnet" }, { name });
const projects = async (): Promise<string[]> => (await world.objects("Project")).map(({ id }) => id);

it("refuses to delete a project that still has objects", async () => {
  const { id, outs, lifecycle } = await world.create("Project", {}, { name: "shop" });
  await vpcIn(id);
  await nodeIn(id, "one");
  await nodeIn(id, "two");
  await expect(lifecycle.delete(id, outs)).rejects.toThrow(
    `delete project "shop": project ${id} was not deleted, because it still holds 2 flex RPC nodes, 1 VPC. Delete or move`,
  );
  expect(await projects()).toContain(id);
  expect(await world.requests()).not.toContain("DELETE /v1/projects/ID");
});

it("uses the kinds' nouns for a project's contents", () => {
  const reason = (counter: string, count: number): string | undefined =>
    project.refuseDeletion?.({ resources: { cloud: { [counter]: count } } });
  const counted = definitions.flatMap(({ type, noun, nouns }) => {
    const counter = `${type.charAt(0).toLowerCase()}${type.slice(1)}s`;
    return reason(counter, 1) === undefined ? [] : [{ counter, noun, nouns }];
  });
  expect(counted.length).toBeGreaterThan(4);
  for (const { counter, noun, nouns } of counted)
    expect([reason(counter, 1), reason(counter, 2)]).toEqual([`it still holds 1 ${noun}`, `it still holds 2 ${nouns}`]);
});

it("deletes an empty project despite an outdated state", async () => {
  const { id, outs, lifecycle } = await world.create("Project", {}, { name: "shop" });
  const node = await nodeIn(id, "one");
  const { props } = await lifecycle.read(id, outs);
  expect(props).toMatchObject({ resources: { blockchain: { rpcNodesFlex: 1 } } });
  await node.lifecycle.delete(node.id, node.outs);
  await lifecycle.delete(id, props ?? {});
  expect(await projects()).not.toContain(id);
});

it("deletes a project that still counts what was just deleted", async () => {
  const { id, outs } = await world.create("Project", {}, { name: "shop" });
  const net = await vpcIn(id);
  const counting = await world.api("GET", `/v1/projects/${id}`);
  await net.lifecycle.delete(net.id, net.outs);
  proxy.on({ method: "GET", path: new RegExp(`/${id}$`), nth: 1 }, answer(200, counting));
  await world.run({ baseUrl: proxy.url }).of("Project").delete(id, outs);
  expect(await projects()).not.toContain(id);
});

it("deleting a deleted project succeeds", async () => {
  const { id, outs, lifecycle } = await world.create("Project", {});
  await world.api("DELETE", `/v1/projects/${id}`);
  await expect(lifecycle.delete(id, outs)).resolves.toBeUndefined();
});
