import { protocol } from "../../src/simulator/nouns/firewall-rule";
import {
  expectConflict,
  expectRejected,
  harnessForSuite,
  type Json,
  paths,
  requests,
  tags,
  withNone,
} from "./support/harness";

const api = harnessForSuite();

it("a new VPC gets its own subnet", async () => {
  const { at } = await api.create(paths.vpcs, requests.vpc);
  await api.advance("8s");
  const own = { name: "net", status: "ready", subnet: { name: "subnet" }, firewall_rule_ids: [], tags: [] };
  expect(await api.get(at)).toMatchObject(own);
  const subnets = ((await api.state())["vpcs"] ?? []).map(({ subnet }) => (subnet as Json)["cidr"]);
  expect(subnets).toEqual(["10.0.0.0/25", "10.0.0.128/25"]);
});

const names = { name: "x", subnet_name: "y" };

it.each<[string, Json, string]>([
  ["nothing", {}, "name project_id region subnet_name"],
  ["an unknown project and region", { ...names, project_id: "nowhere", region: "nowhere" }, "project_id region"],
  ["a CIDR", { ...names, region: "us-sva-2", project_id: "?", cidr: "10.0.0.0/8" }, "cidr project_id"],
])("refuses a VPC with %s", async (_name, body, bad) => {
  await expectRejected(api, "POST", [paths.vpcs, `${paths.vpcs}/cost`], body, bad);
  expect((await api.state())["vpcs"]).toHaveLength(1);
});

it("changed names and tags show after the operation", async () => {
  const at = `${paths.vpcs}/${api.vpcId}`;
  const body = { name: "main", subnet_name: "inner", tags: ["x"] };
  const reply = await api.call("PATCH", at, { body });
  expect(reply.status).toBe(202);
  const name = { from: "default", to: "main" };
  const changes = { name, subnet_name: { from: "default", to: "inner" }, tags: { from: [], to: ["x"] } };
  expect(reply.body["details"]).toEqual({ changes });
  expect(await api.get(at)).toMatchObject({ name: "default", status: "updating" });
  await api.advance("8s");
  const subnet = { name: "inner", cidr: "10.0.0.0/25" };
  expect(await api.get(at)).toMatchObject({ name: "main", subnet, tags: ["x"], status: "ready" });
});

it("a VPC with firewall rules cannot be deleted", async () => {
  const vpc = `${paths.vpcs}/${api.vpcId}`;
  const rule = await api.create(paths.rules, requests.rule);
  const refused = await api.call("DELETE", vpc);
  expectConflict(refused);
  expect(refused.body["message"]).toBe("the VPC has 1 firewall rule, delete it first");
  await api.advance("8s");
  await api.call("DELETE", rule.at);
  await api.advance("8s");
  expect((await api.call("DELETE", vpc)).status).toBe(202);
  expectConflict(await api.create(paths.rules, requests.rule));
  await api.advance("8s");
  expect((await api.call("GET", vpc)).status).toBe(404);
  expect((await api.state())["vpcs"]).toEqual([]);
});

/* Firewall rules: section 2.8. */

it("a new rule is listed in its VPC", async () => {
  const { status, id, at } = await api.create(paths.rules, { ...requests.rule, tags: ["web"] });
  expect(status).toBe(202);
  await api.advance("8s");
  const rule = await api.get(at);
  const times = { created_at: "2026-03-01T12:00:00Z", updated_at: "2026-03-01T12:00:08Z" };
  const own = { id, vpc_id: api.vpcId, status: "ready", tags: ["web"], ...times };
  expect(rule).toEqual({ ...requests.rule, ...own });
  expect((await api.state())["firewallRules"]).toEqual([rule]);
  expect((await api.get(`${paths.vpcs}/${api.vpcId}`))["firewall_rule_ids"]).toEqual([id]);
});

const members = "destination_address destination_ports name protocol source_address";

it.each<[string, Json, string]>([
  ["nothing", withNone(members), members],
  ["another protocol", { protocol: "icmp" }, "protocol"],
  ["an unaligned source", { source_address: "10.0.0.1/24" }, "source_address"],
  ["a source without a mask", { source_address: "10.0.0.1" }, "source_address"],
  ["0.0.0.0 with a mask of 8", { source_address: "0.0.0.0/8" }, "source_address"],
  ["0.0.0.0 with a mask of 32", { source_address: "0.0.0.0/32" }, "source_address"],
  ["an unaligned destination", { destination_address: "10.0.0.1/25" }, "destination_address"],
  ["a destination around the VPC", { destination_address: "10.0.0.0/24" }, "destination_address"],
  ["a part of the VPC", { destination_address: "10.0.0.0/26" }, "destination_address"],
  ["a destination of IPv6", { destination_address: "2001:db8::/32" }, "destination_address"],
  ["an address beyond the VPC", { destination_address: "10.0.0.128/32" }, "destination_address"],
  ["port 0", { destination_ports: ["0"] }, "destination_ports[0]"],
  ["port 65536", { destination_ports: ["443", "65536"] }, "destination_ports[1]"],
  ["a port as a number", { destination_ports: [443] }, "destination_ports[0]"],
  ["a port with a zero before it", { destination_ports: ["0443"] }, "destination_ports[0]"],
  ["a range the wrong way round", { destination_ports: ["9000-8000"] }, "destination_ports[0]"],
  ["a range of three", { destination_ports: ["1-2-3"] }, "destination_ports[0]"],
  ["half a range", { destination_ports: ["1-"] }, "destination_ports[0]"],
  ["51 tags", { tags: tags(51) }, "tags"],
  ["a VPC in the body", { vpc_id: "x" }, "vpc_id"],
])("refuses a firewall rule with %s", async (name, more, bad) => {
  const { at } = await api.create(paths.rules, requests.rule);
  const before = (await api.state())["firewallRules"];
  await expectRejected(api, "POST", [paths.rules, `${paths.rules}/cost`], { ...requests.rule, ...more }, bad);
  // An update may omit every member.
  if (name !== "nothing") await expectRejected(api, "PATCH", [at], more, bad);
  expect((await api.state())["firewallRules"]).toEqual(before);
});

it.each<[string, Json]>([
  ["another protocol", { protocol: protocol.options[1] }],
  ["a network as its source", { source_address: "192.168.0.0/16" }],
  ["one address as its source", { source_address: "203.0.113.7/32" }],
  ["an address in the VPC", { destination_address: "10.0.0.127/32" }],
  ["the ends of the ports", { destination_ports: ["1", "65535", "1-65535"] }],
  ["a range of ports", { destination_ports: ["22", "8000-9000"] }],
  ["50 tags", { tags: tags(50) }],
])("creates and updates a rule with %s", async (_name, more) => {
  const changed = { ...requests.rule, ...more };
  expect((await api.create(paths.rules, changed)).status).toBe(202);
  const plain = await api.create(paths.rules, requests.rule);
  await api.advance("8s");
  expect((await api.call("PATCH", plain.at, { body: more })).status).toBe(202);
  await api.advance("8s");
  expect((await api.state())["firewallRules"]).toMatchObject([changed, changed]);
});

it("a rule of another VPC is 404", async () => {
  const { id } = await api.create(paths.rules, requests.rule);
  const vpc = await api.create(paths.vpcs, requests.vpc);
  await api.advance("8s");
  const other = `${vpc.at}/firewall_rules/${id}`;
  for (const method of ["GET", "DELETE"]) expect((await api.call(method, other)).status).toBe(404);
  expect((await api.create(`${paths.vpcs}/nowhere/firewall_rules`, requests.rule)).status).toBe(404);
  expect((await api.state())["firewallRules"]).toHaveLength(1);
});

it("a VPC that the control port deletes takes its rules with it", async () => {
  await api.addRules(2);
  expect((await api.control("DELETE", `/state/vpcs/${api.vpcId}`)).status).toBe(204);
  expect(await api.state()).toMatchObject({ vpcs: [], firewallRules: [] });
});
