import type { ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { bench, rejection, type TestApi } from "./support/api-fixture";
import { ids, listOf, sampleOperation, sampleRule, without } from "./support/samples";

// The reads of collection-reader.test.ts, at the API.

const other = "another-rule";
const running = { ...sampleOperation(), status: "running" };
const fourRules = () => listOf([ids.rule, other, "third", "fourth"].map((id) => ({ ...sampleRule(), id })));
const path = `/v1/networking/vpcs/${ids.vpc}/firewall_rules`;

it("sends a GET for a list entry that lacks a member", async () => {
  const broken = without({ ...sampleRule(), id: other }, "protocol");
  const { api, server } = await bench(({ url }) =>
    url.startsWith(`${path}?`)
      ? { status: 200, body: listOf([sampleRule(), broken, null]) }
      : { status: 200, body: broken },
  );
  const reads = [ids.rule, other].map((id) => api.firewallRules(ids.vpc).getCached(id));
  expect(await reads[0]).toEqual(sampleRule());
  expect((await rejection(reads[1]!)).message).toContain("- protocol is missing");
  expect(server.arrived.map(({ url }) => url)).toEqual([`${path}?limit=100`, `${path}/${other}`]);
});

it("reads a list for each VPC", async () => {
  const { api, server } = await bench(({ url }) => {
    const vpc_id = url.split("/")[4];
    const rules = ["a", "b"].map((id) => ({ ...sampleRule(), vpc_id, id: `${vpc_id}-${id}` }));
    return { status: 200, body: listOf(rules) };
  });
  const reads = ["v1-a", "v2-a", "v1-b", "v2-b"].map((id) => api.firewallRules(id.slice(0, 2)).getCached(id));
  expect((await Promise.all(reads)).map(({ id }) => id)).toEqual(["v1-a", "v2-a", "v1-b", "v2-b"]);
  expect(server.arrived).toHaveLength(2);
});

it.each([
  ["a PATCH", "PATCH", (api: TestApi) => api.firewallRules(ids.vpc).update(other, { name: "new" })],
  ["the end of an operation", "GET", (api: TestApi) => api.operations.wait(running)],
])("reads the list anew after %s", async (_case, method, change) => {
  const { api, server } = await bench((request) => {
    const ended = { ...sampleOperation(), status: "done" };
    return { status: 200, body: request.url.startsWith(`${path}?`) ? fourRules() : ended };
  });
  await Promise.all([ids.rule, other].map((id) => api.firewallRules(ids.vpc).getCached(id)));
  await change(api);
  await Promise.all(["third", "fourth"].map((id) => api.firewallRules(ids.vpc).getCached(id)));
  const lists = server.arrived.filter(({ url }) => url.startsWith(`${path}?`));
  expect([lists.length, server.arrived[1]?.method]).toEqual([2, method]);
});

it.each([
  ["before", false],
  ["during", true],
])("uses no list from %s a change", async (_when, isListedMeanwhile) => {
  const changing: ServerResponse[] = [];
  const { api, server } = await bench(({ method }) => {
    if (method === "PATCH") return (response) => void changing.push(response);
    return { status: 200, body: fourRules() };
  });
  const rules = api.firewallRules(ids.vpc);
  const read = (...some: string[]): Promise<unknown> => Promise.all(some.map((id) => rules.getCached(id)));
  const end = async (change: Promise<unknown>): Promise<void> => {
    changing[0]?.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(sampleOperation()));
    await change;
  };

  if (!isListedMeanwhile) await read(ids.rule, other);
  const change = rules.update(other, { name: "new" });
  while (changing.length === 0) await setImmediate();
  if (isListedMeanwhile) {
    await read(ids.rule, other);
    await end(change);
  }
  await read("third", "fourth");
  expect(server.arrived.filter(({ url }) => url.startsWith(`${path}?`))).toHaveLength(2);
  if (!isListedMeanwhile) await end(change);
});
