import { expectConflict, expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite();

it("a new VPC gets its own subnet", async () => {
  const { at } = await api.create(paths.vpcs, requests.vpc);
  await api.advance("8s");
  expect(await api.get(at)).toMatchObject({
    name: "net",
    status: "ready",
    subnet: { name: "subnet" },
    firewall_rule_ids: [],
    tags: [],
  });
  const subnets = ((await api.state())["vpcs"] ?? []).map(({ subnet }) => (subnet as Json)["cidr"]);
  expect(subnets).toEqual(["10.0.0.0/25", "10.0.0.128/25"]);
});

it.each<[string, Json, string]>([
  ["nothing", {}, "name project_id region subnet_name"],
  [
    "an unknown project and region",
    { name: "x", subnet_name: "y", project_id: "nowhere", region: "nowhere" },
    "project_id region",
  ],
  [
    "a CIDR",
    { name: "x", subnet_name: "y", region: "us-sva-2", project_id: "?", cidr: "10.0.0.0/8" },
    "cidr project_id",
  ],
])("refuses a VPC with %s", async (_name, body, bad) => {
  await expectRejected(api, "POST", [paths.vpcs, `${paths.vpcs}/cost`], body, bad);
  expect((await api.state())["vpcs"]).toHaveLength(1);
});

it("changed names and tags show after the operation", async () => {
  const at = `${paths.vpcs}/${api.vpcId}`;
  const body = { name: "main", subnet_name: "inner", tags: ["x"] };
  const reply = await api.call("PATCH", at, { body });
  expect(reply.status).toBe(202);
  expect(reply.body["details"]).toEqual({
    changes: {
      name: { from: "default", to: "main" },
      subnet_name: { from: "default", to: "inner" },
      tags: { from: [], to: ["x"] },
    },
  });
  expect(await api.get(at)).toMatchObject({ name: "default", status: "updating" });
  await api.advance("8s");
  expect(await api.get(at)).toMatchObject({
    name: "main",
    subnet: { name: "inner", cidr: "10.0.0.0/25" },
    tags: ["x"],
    status: "ready",
  });
});

it("a VPC with firewall rules cannot be deleted", async () => {
  const vpc = `${paths.vpcs}/${api.vpcId}`;
  const rule = await api.create(paths.rules, requests.rule);
  expectConflict(await api.call("DELETE", vpc));
  await api.advance("8s");
  await api.call("DELETE", rule.at);
  await api.advance("8s");
  expect((await api.call("DELETE", vpc)).status).toBe(202);
  expectConflict(await api.create(paths.rules, requests.rule));
  await api.advance("8s");
  expect((await api.call("GET", vpc)).status).toBe(404);
  expect((await api.state())["vpcs"]).toEqual([]);
});
