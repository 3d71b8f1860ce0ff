import { networkInterfaces } from "node:os";
import { openApiEndpoint } from "../../src/simulator/http/openapi";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { clientAddress, sourceIpCheck } from "../../src/simulator/model/source-ip-rule";
import { createKey, ownKeys } from "./support/api-keys";
import {
  badParameters,
  connectionRequest,
  harnessForSuite,
  permissionOf,
  ruleRequest,
  startHarness,
  vpcRequest,
} from "./support/harness";

const api = harnessForSuite();

type Row = readonly [method: string, path: string, needs: string];

const readsOf = (path: string, type: string): Row[] => [
  ["GET", path, `${type}:read`],
  ["GET", `${path}/x`, `${type}:read`],
];

/** What everything has that is created, changed and deleted, and asked about before. */
const allOf = (path: string, type: string): Row[] => [
  ...readsOf(path, type),
  ["POST", path, `${type}:edit`],
  ["PATCH", `${path}/x`, `${type}:edit`],
  ["DELETE", `${path}/x`, `${type}:edit`],
  ["POST", `${path}/cost`, `${type}:read`],
  ["PATCH", `${path}/x/cost`, `${type}:read`],
  ["POST", `${path}/availability`, `${type}:read`],
  ["PATCH", `${path}/x/availability`, `${type}:read`],
];

/**
 * The permission that each request takes, read from the specification and not from our code: sections 4 and 5.5 where they
 * say it; otherwise the type of the object (rules are of VPCs), edit for what changes something, read for the rest, quotes too.
 * That the routes hold to it, uninvited.test.ts tries on each.
 */
const table: readonly (readonly [method: string, path: string, needs: string])[] = [
  ["POST", "/v1/api_keys", "api_key:edit"],
  ["GET", "/v1/api_keys", "api_key:read"],
  ["GET", "/v1/api_keys/x", "api_key:read"],
  ["PATCH", "/v1/api_keys/x", "api_key:edit"],
  ["DELETE", "/v1/api_keys/x", "api_key:edit"],
  ["POST", "/v1/api_keys/cost", "api_key:read"],
  ["PATCH", "/v1/api_keys/x/cost", "api_key:read"],
  ["GET", "/v1/projects", "project:read"],
  ["GET", "/v1/projects/x", "project:read"],
  ["POST", "/v1/projects", "project:edit"],
  ["PATCH", "/v1/projects/x", "project:edit"],
  ["DELETE", "/v1/projects/x", "project:edit"],
  ["POST", "/v1/networking/vpcs", "vpc:edit"],
  ["GET", "/v1/networking/vpcs", "vpc:read"],
  ["GET", "/v1/networking/vpcs/x", "vpc:read"],
  ["PATCH", "/v1/networking/vpcs/x", "vpc:edit"],
  ["DELETE", "/v1/networking/vpcs/x", "vpc:edit"],
  ["POST", "/v1/networking/vpcs/cost", "vpc:read"],
  ["PATCH", "/v1/networking/vpcs/x/cost", "vpc:read"],
  ["POST", "/v1/networking/vpcs/x/firewall_rules", "vpc:edit"],
  ["GET", "/v1/networking/vpcs/x/firewall_rules", "vpc:read"],
  ["GET", "/v1/networking/vpcs/x/firewall_rules/y", "vpc:read"],
  ["PATCH", "/v1/networking/vpcs/x/firewall_rules/y", "vpc:edit"],
  ["DELETE", "/v1/networking/vpcs/x/firewall_rules/y", "vpc:edit"],
  ["POST", "/v1/networking/vpcs/x/firewall_rules/cost", "vpc:read"],
  ["PATCH", "/v1/networking/vpcs/x/firewall_rules/y/cost", "vpc:read"],
  ["POST", "/v1/networking/vpcs/availability", "vpc:read"],
  ["PATCH", "/v1/networking/vpcs/x/availability", "vpc:read"],
  ["POST", "/v1/compute/vms", "vm:edit"],
  ["GET", "/v1/compute/vms", "vm:read"],
  ["GET", "/v1/compute/vms/x", "vm:read"],
  ["PATCH", "/v1/compute/vms/x", "vm:edit"],
  ["DELETE", "/v1/compute/vms/x", "vm:edit"],
  ["POST", "/v1/compute/vms/x/restart", "vm:edit"],
  ["GET", "/v1/compute/vms/x/volumes", "vm:read"],
  ["GET", "/v1/compute/vms/os_images", "vm:read"],
  ["POST", "/v1/compute/vms/cost", "vm:read"],
  ["PATCH", "/v1/compute/vms/x/cost", "vm:read"],
  ["POST", "/v1/compute/vms/availability", "vm:read"],
  ["PATCH", "/v1/compute/vms/x/availability", "vm:read"],
  ["POST", "/v1/compute/volumes", "volume:edit"],
  ["GET", "/v1/compute/volumes", "volume:read"],
  ["GET", "/v1/compute/volumes/x", "volume:read"],
  ["PATCH", "/v1/compute/volumes/x", "volume:edit"],
  ["DELETE", "/v1/compute/volumes/x", "volume:edit"],
  ["POST", "/v1/compute/volumes/x/attach", "volume:edit"],
  ["POST", "/v1/compute/volumes/x/detach", "volume:edit"],
  ["POST", "/v1/compute/volumes/cost", "volume:read"],
  ["PATCH", "/v1/compute/volumes/x/cost", "volume:read"],
  ["POST", "/v1/compute/volumes/availability", "volume:read"],
  ["PATCH", "/v1/compute/volumes/x/availability", "volume:read"],
  ["POST", "/v1/networking/connect/connections", "connect_connection:edit"],
  ["GET", "/v1/networking/connect/connections", "connect_connection:read"],
  ["GET", "/v1/networking/connect/connections/x", "connect_connection:read"],
  ["PATCH", "/v1/networking/connect/connections/x", "connect_connection:edit"],
  ["DELETE", "/v1/networking/connect/connections/x", "connect_connection:edit"],
  ["POST", "/v1/networking/connect/connections/cost", "connect_connection:read"],
  ["PATCH", "/v1/networking/connect/connections/x/cost", "connect_connection:read"],
  ["GET", "/v1/networking/connect/routes", "connect_connection:read"],
  ...allOf("/v1/nks/clusters", "nks_cluster"),
  ["GET", "/v1/nks/clusters/x/kubeconfig", "nks_cluster:read"],
  ["GET", "/v1/nks/kubernetes_versions", "nks_cluster:read"],
  ...readsOf("/v1/nks/clusters/x/controllers", "nks_cluster"),
  ...readsOf("/v1/nks/clusters/x/controllers/x/volumes", "nks_cluster"),
  ...readsOf("/v1/nks/clusters/x/load_balancers", "nks_cluster"),
  ["PATCH", "/v1/nks/clusters/x/load_balancers/x", "nks_cluster:edit"],
  ...readsOf("/v1/nks/clusters/x/persistent_volume_claims", "nks_cluster"),
  ...allOf("/v1/nks/clusters/x/pools", "nks_node_pool"),
  ["GET", "/v1/nks/clusters/x/pools/x/volumes", "nks_node_pool:read"],
  ...readsOf("/v1/nks/clusters/x/pools/x/nodes", "nks_node_pool"),
  ["DELETE", "/v1/nks/clusters/x/pools/x/nodes/x", "nks_node_pool:edit"],
  ...readsOf("/v1/nks/clusters/x/pools/x/nodes/x/volumes", "nks_node_pool"),
  ["POST", "/v1/rpc_nodes/flex", "rpc_node_flex:edit"],
  ...readsOf("/v1/rpc_nodes/flex", "rpc_node_flex"),
  ["PATCH", "/v1/rpc_nodes/flex/x", "rpc_node_flex:edit"],
  ["DELETE", "/v1/rpc_nodes/flex/x", "rpc_node_flex:edit"],
  ["GET", "/v1/rpc_nodes/flex/blockchains", "rpc_node_flex:read"],
  ...readsOf("/v1/rpc_nodes/dedicated", "rpc_node_dedicated"),
  ["GET", "/v1/rpc_nodes/dedicated/blockchains", "rpc_node_dedicated:read"],
  ["GET", "/v1/compute/metric_descriptors", "vm:read"],
  ["GET", "/v1/compute/vms/x/metrics", "vm:read"],
  ...readsOf("/v1/organizations", "organization"),
  ["POST", "/v1/organizations", "organization:edit"],
  ["PATCH", "/v1/organizations/x", "organization:edit"],
  ["POST", "/v1/organizations/x/leave", "organization:edit"],
  ...readsOf("/v1/organizations/x/memberships", "organization"),
  ["POST", "/v1/organizations/x/address", "organization:edit"],
  ["GET", "/v1/organizations/x/address", "organization:read"],
  ["PATCH", "/v1/organizations/x/address", "organization:edit"],
  ["GET", "/v1/organizations/x/billing/recharge_policy", "organization:read"],
  ["PATCH", "/v1/organizations/x/billing/recharge_policy", "organization:edit"],
  ["GET", "/v1/organizations/x/billing/history", "organization:read"],
  ["POST", "/v1/organizations/x/billing/topup", "organization:edit"],
  ["POST", "/v1/organizations/x/billing/recharge", "organization:edit"],
  // What was used, and so what a summary says, takes what quotes show their summaries for.
  ["GET", "/v1/organizations/x/billing/summary", "usage:read"],
  ["GET", "/v1/organizations/x/billing/cost", "usage:read"],
  ["GET", "/v1/organizations/x/billing/statements", "usage:read"],
  ...readsOf("/v1/usage", "usage"),
  ["GET", "/v1/user/security", "organization:read"],
  ["PATCH", "/v1/user/security", "organization:edit"],
  ["GET", "/v1/audit_logs", "audit_log:read"],
  ["GET", "/v1/audit_logs/x", "audit_log:read"],
];

/** Section 4 says it of the regions; of the others, what it takes is not shown. */
const anyKey: readonly string[] = [
  "/v1/regions",
  "/v1/regions/x",
  "/v1/quotas",
  "/v1/quotas/x",
  "/v1/instance_types",
  "/v1/instance_types/x/x",
  "/v1/operations",
  "/v1/operations/x",
  "/v1/user",
  "/v1/openapi.json",
];

describe("permissions (section 5.5)", () => {
  test("the routes take what the tables say, and there are no others", () => {
    const endpoints = [...endpointsOf("spec"), ...endpointsOf("nirvana"), openApiEndpoint(() => ({}))];
    const taken = endpoints.map(({ method, path, needs }) => {
      const filled = path.replace(/\{firewall_rule_id\}/, "y").replaceAll(/\{\w+\}/g, "x");
      return [method, filled, needs ? `${needs.resourceType}:${needs.level}` : "any key"].join(" ");
    });
    const specified = [...table, ...anyKey.map((path) => ["GET", path, "any key"])];
    expect([...new Set(taken)].sort()).toEqual(specified.map((row) => row.join(" ")).sort());
  });

  test.each(table)("%s %s: %s is enough, and edit includes read", async (method, path, needs) => {
    const key = await api.newKey([needs]);
    const sending = method === "GET" ? {} : { body: "{ not json" };
    expect((await api.call(method, path, { key, ...sending })).status).not.toBe(403);
    const editor = await api.newKey([needs.replace("read", "edit")]);
    expect((await api.call(method, path, { key: editor, ...sending })).status).not.toBe(403);
  });

  test.each(["/v1/regions", "/v1/regions/us-sva-2", "/v1/quotas/us-sva-2", "/v1/quotas", "/v1/openapi.json"])(
    "GET %s takes any valid key",
    async (path) => {
      const key = await api.newKey(["rpc_node_flex:read"]);
      expect((await api.call("GET", path, { key })).status).toBe(200);
    },
  );

  test.each([
    ["both levels", ["vpc:read", "vm:read", "vpc:edit"]],
    ["one level twice", ["vpc:read", "vm:read", "vpc:read"]],
  ])("when a resource type stands twice, with %s, it is refused (section 5.5, rule 1)", async (_name, texts) => {
    const { body: key } = await createKey(api, {});
    const permissions = texts.map(permissionOf);
    for (const reply of [
      await createKey(api, { permissions }),
      await api.call("PATCH", `/v1/api_keys/${String(key["id"])}`, { body: { permissions } }),
    ]) {
      expect([reply.status, badParameters(reply)]).toEqual([400, ["permissions[2].resource_type"]]);
    }
    expect(await ownKeys(api)).toMatchObject([{ permissions: key["permissions"] }]);
  });

  test("when a project stands twice, the key has it once", async () => {
    const reply = await createKey(api, { project_ids: [api.projectId, api.projectId] });
    expect(reply.body["project_ids"]).toEqual([api.projectId]);
    expect(await ownKeys(api)).toMatchObject([{ project_ids: [api.projectId] }]);
  });

  test.each(["/v1/operations", "/v1/operations?limit=x", "/v1/operations/nothing"])(
    "when a key may read nothing that has operations, GET %s answers 403 before it looks at anything",
    async (path) => {
      const key = await api.newKey(["audit_log:read", "usage:read"]);
      expect((await api.call("GET", path, { key })).body["type"]).toBe("AUTHORIZATION_ERROR");
    },
  );

  test("when the project of a key is gone, the key still signs in, and reaches nothing there", async () => {
    const project = await api.newProject();
    const key = await api.newKey(["vpc:edit", "project:read"], { project_ids: [project] });
    expect((await api.call("DELETE", `/v1/projects/${project}`)).status).toBe(204);
    expect((await api.call("GET", "/v1/projects", { key })).body).toMatchObject({ items: [] });
    expect((await api.call("GET", `/v1/projects/${project}`, { key })).status).toBe(404);
    const refused = await api.call("POST", "/v1/networking/vpcs", { key, body: vpcRequest(project, api.region) });
    expect([refused.status, badParameters(refused)]).toEqual([400, ["project_id"]]);
    expect(await ownKeys(api)).toMatchObject([{ project_ids: [project] }]);
  });

  test("when a key has vm:edit only, GET /v1/projects answers 403 (section 5.5, rule 4)", async () => {
    const key = await api.newKey(["vm:edit"]);
    expect((await api.call("GET", "/v1/projects", { key })).body["type"]).toBe("AUTHORIZATION_ERROR");
  });
});

describe("operations", () => {
  test("when the key may not read the kind of the resource, its operation is hidden", async () => {
    const rule = await api.call("POST", `/v1/networking/vpcs/${api.vpcId}/firewall_rules`, { body: ruleRequest });
    const body = connectionRequest(api.projectId, api.region);
    const link = await api.call("POST", "/v1/networking/connect/connections", { body });
    const list = `/v1/operations?project_id=${api.projectId}`;

    const network = await api.newKey(["vpc:read"]);
    expect((await api.call("GET", `/v1/operations/${String(rule.body["id"])}`, { key: network })).status).toBe(200);
    const hidden = await api.call("GET", `/v1/operations/${String(link.body["id"])}`, { key: network });
    expect(hidden.body["type"]).toBe("AUTHORIZATION_ERROR");
    const seen = await api.call("GET", list, { key: network });
    expect(seen.body).toMatchObject({ items: [{ id: rule.body["id"] }], pagination: { total_count: 1 } });

    const other = await api.newKey(["usage:edit"]);
    expect((await api.call("GET", list, { key: other })).body["type"]).toBe("AUTHORIZATION_ERROR");
  });
});

describe("project scope (section 5.5, rule 2)", () => {
  test("when a resource is in another project, it can be neither seen nor touched", async () => {
    const second = await api.newProject();
    const body = connectionRequest(api.projectId, api.region);
    const link = await api.call("POST", "/v1/networking/connect/connections", { body });
    const rules = `/v1/networking/vpcs/${api.vpcId}/firewall_rules`;
    const rule = await api.call("POST", rules, { body: ruleRequest });
    const [managed] = (await api.state())["apiKeys"] ?? [];
    await api.advance("8s");
    const key = await api.newKey(["vpc:edit", "connect_connection:edit", "api_key:edit", "project:edit"], {
      project_ids: [second],
    });
    const before = await api.state();
    const link1 = `/v1/networking/connect/connections/${String(link.body["resource_id"])}`;
    const rule1 = `${rules}/${String(rule.body["resource_id"])}`;
    const attempts: readonly [string, string, unknown?][] = [
      ["GET", link1],
      ["PATCH", link1, { name: "mine" }],
      ["PATCH", `${link1}/cost`, { name: "mine" }],
      ["DELETE", link1],
      ["GET", `/v1/networking/connect/connections?project_id=${api.projectId}`],
      ["POST", "/v1/networking/connect/connections", { project_id: api.projectId }],
      ["POST", "/v1/networking/connect/connections/cost", { project_id: api.projectId }],
      ["GET", `/v1/networking/vpcs/${api.vpcId}`],
      ["DELETE", `/v1/networking/vpcs/${api.vpcId}`],
      ["GET", `/v1/networking/vpcs?project_id=${api.projectId}&limit=nonsense`],
      ["POST", "/v1/networking/vpcs", { project_id: api.projectId }],
      ["GET", rules],
      ["POST", rules, ruleRequest],
      ["GET", rule1],
      ["PATCH", rule1, { name: "mine" }],
      ["DELETE", rule1],
      ["GET", `/v1/operations?project_id=${api.projectId}`],
      ["GET", `/v1/operations/${String(rule.body["id"])}`],
      ["GET", `/v1/projects/${api.projectId}`],
      ["GET", `/v1/api_keys/${String(managed?.["id"])}`],
      ["DELETE", `/v1/api_keys/${String(managed?.["id"])}`],
    ];
    for (const [method, path, sent] of attempts) {
      const reply = await api.call(method, path, { key, ...(sent === undefined ? {} : { body: sent }) });
      expect([method, path, reply.status, reply.body["type"]]).toEqual([method, path, 403, "AUTHORIZATION_ERROR"]);
    }
    const after = await api.state();
    expect({ ...after, auditLogs: [] }).toEqual({ ...before, auditLogs: [] });
  });

  test("when a list is not of one project, it shows what is in scope", async () => {
    const second = await api.newProject();
    const key = await api.newKey(["project:read", "api_key:read"], { project_ids: [second] });
    const projects = await api.call("GET", "/v1/projects", { key });
    expect(projects.body).toMatchObject({ items: [{ id: second }], pagination: { total_count: 1 } });
    const keys = await api.call("GET", "/v1/api_keys", { key });
    expect(keys.body).toMatchObject({ items: [{ project_ids: [second] }], pagination: { total_count: 1 } });
    expect((await api.call("GET", "/v1/api_keys")).body).toMatchObject({ pagination: { total_count: 2 } });
  });
});

describe("IP rules (section 7.3)", () => {
  test.each([
    ["no rule", undefined, 200],
    ["empty lists", { allowed: [], blocked: [] }, 200],
    ["the address allowed", { allowed: ["127.0.0.1"] }, 200],
    ["its network allowed", { allowed: ["192.168.1.0/24", "127.0.0.0/8"] }, 200],
    ["another network allowed", { allowed: ["192.168.1.0/24"] }, 403],
    ["another blocked", { blocked: ["192.168.1.0/24"] }, 200],
    ["the address blocked", { blocked: ["127.0.0.1/32"] }, 403],
    ["the network allowed and the address blocked", { allowed: ["127.0.0.0/8"], blocked: ["127.0.0.1"] }, 403],
  ])("with %s, the answer is as it should be", async (_name, source_ip_rule, status) => {
    const key = await api.newKey(["vpc:read"], source_ip_rule ? { source_ip_rule } : {});
    for (const path of ["/v1/regions", "/v1/projects"]) {
      const reply = await api.call("GET", path, { key });
      if (status === 403) expect([reply.status, reply.body["type"]]).toEqual([403, "IP_RESTRICTED_ERROR"]);
      else expect(reply.body["type"]).not.toBe("IP_RESTRICTED_ERROR");
    }
  });

  test("when the socket speaks IPv6 of an IPv4 address, it counts as the IPv4 address", () => {
    expect(clientAddress("::ffff:192.168.1.100")).toBe("192.168.1.100");
    expect(clientAddress("192.168.1.100")).toBe("192.168.1.100");
    expect(clientAddress("::1")).toBe("::1");
  });

  test.each([
    ["192.168.1.100", true],
    ["192.168.1.101", false],
    ["10.200.0.1", true],
    ["11.0.0.1", false],
    ["::1", false],
    ["::ffff:10.0.0.1", true],
  ])("the address %s is in or out by the lists: %s", (address, isIn) => {
    const check = sourceIpCheck({ allowed: ["192.168.1.0/24", "10.0.0.0/8"], blocked: ["192.168.1.101/32"] });
    expect(check(address)).toBe(isIn);
  });

  // Not every machine has an IPv6 loopback.
  const hasIpv6 = Object.values(networkInterfaces()).some((ends) => ends?.some(({ address }) => address === "::1"));
  (hasIpv6 ? test : test.skip)("when the server listens on both families, the rules see IPv4 as IPv4", async () => {
    const dual = await startHarness({ host: "::" });
    try {
      const port = new URL(dual.url).port;
      const key = await dual.newKey(["vpc:edit"], { source_ip_rule: { allowed: ["127.0.0.0/8"] } });
      const body = JSON.stringify(vpcRequest(dual.projectId, dual.region));
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
      const post = (host: string) =>
        fetch(`http://${host}:${port}/v1/networking/vpcs`, { method: "POST", headers, body });
      expect((await post("127.0.0.1")).status).toBe(202);
      expect((await post("[::1]")).status).toBe(403);
      const logs = (await dual.state())["auditLogs"] ?? [];
      expect(logs.map(({ client_ip }) => client_ip)).toEqual(["::1", "127.0.0.1", "::1"]);
    } finally {
      await dual.close();
    }
  });
});
