import { networkInterfaces } from "node:os";
import { openApiEndpoint } from "../../src/simulator/http/openapi";
import { clientAddress, isAccepted } from "../../src/simulator/model/addresses";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import {
  badParameters,
  expectRejected,
  harnessForSuite,
  paths,
  permissionOf,
  requests,
  withHarness,
} from "./support/harness";
import { sampleOf } from "./support/samples";

const api = harnessForSuite();

/**
 * The resource type that each path needs, according to sections 4 and 5.5, not to our code: that of its objects, or of
 * their VPC or cluster. Undefined: any valid key may read it. The first match counts.
 */
const resourceTypeOf: readonly (readonly [path: RegExp, resourceType: string | undefined])[] = [
  [/^\/v1\/(regions|quotas|instance_types|operations|openapi\.json|user$)/, undefined],
  // Usage and its summaries need the same permission as the summaries in quotes.
  [/^\/v1\/usage|\/billing\/(summary|cost|statements)$/, "usage"],
  [/^\/v1\/(organizations|user\/security)/, "organization"],
  [/^\/v1\/audit_logs/, "audit_log"],
  [/^\/v1\/networking\/connect\/routes/, "connect_connection"],
  [/^\/v1\/compute\/metric_descriptors/, "vm"],
  [/^\/v1\/nks\/kubernetes_versions/, "nks_cluster"],
  ...nounsOf("spec")
    .flatMap((noun) => (sampleOf(noun).permission === undefined ? [] : [noun]))
    .sort((one, other) => other.path.length - one.path.length)
    .map((noun) => [new RegExp(`^${noun.path.replaceAll(/\{\w+\}/g, "x")}`), sampleOf(noun).permission] as const),
];

/** Edit for a change, read for other requests. Quotes and availability checks change nothing. */
function specifiedFor(method: string, path: string): string {
  const [, type] = resourceTypeOf.find(([pattern]) => pattern.test(path)) ?? [path, "nothing"];
  if (type === undefined) return "any key";
  return `${type}:${method === "GET" || /\/(cost|availability)$/.test(path) ? "read" : "edit"}`;
}

const routes = [...endpointsOf("spec"), ...endpointsOf("nirvana"), openApiEndpoint(() => ({}))].map(
  ({ method, path, needs }) => {
    const filled = path.replaceAll(/\{\w+\}/g, "x");
    return [method, filled, needs ? `${needs.resourceType}:${needs.level}` : "any key"] as const;
  },
);
const unique = [...new Map(routes.map((route) => [route.join(" "), route])).values()];

/* Permissions: section 5.5. */

it("each route takes the permission that the specification says", () => {
  expect(unique).toEqual(unique.map(([method, path]) => [method, path, specifiedFor(method, path)]));
});

it.each(unique)("%s %s accepts %s, or edit instead of read", async (method, path, needs) => {
  const sending = method === "GET" ? {} : { body: "{ not json" };
  const enough = needs === "any key" ? ["vm:read"] : [needs, needs.replace("read", "edit")];
  for (const permission of new Set(enough)) {
    const key = await api.newKey([permission]);
    expect((await api.call(method, path, { key, ...sending })).status).not.toBe(403);
  }
});

it.each([
  ["both levels", ["vpc:read", "vm:read", "vpc:edit"]],
  ["one level twice", ["vpc:read", "vm:read", "vpc:read"]],
])("rejects a resource type with %s (section 5.5, rule 1)", async (_name, texts) => {
  const { at, body } = await api.create(paths.apiKeys, requests.key);
  const permissions = texts.map(permissionOf);
  await expectRejected(api, "POST", [paths.apiKeys], { ...requests.key, permissions }, "permissions[2].resource_type");
  await expectRejected(api, "PATCH", [at], { permissions }, "permissions[2].resource_type");
  expect(await api.ownKeys()).toMatchObject([{ permissions: body["permissions"] }]);
});

it("a project that appears twice is stored once", async () => {
  const { body } = await api.create(paths.apiKeys, { ...requests.key, project_ids: [api.projectId, api.projectId] });
  expect(body["project_ids"]).toEqual([api.projectId]);
  expect(await api.ownKeys()).toMatchObject([{ project_ids: [api.projectId] }]);
});

it.each(["/v1/operations", "/v1/operations?limit=x", "/v1/operations/nothing"])(
  "GET %s is 403 without permission for any operation",
  async (path) => {
    const key = await api.newKey(["audit_log:read", "usage:read"]);
    expect((await api.get(path, key))["type"]).toBe("AUTHORIZATION_ERROR");
  },
);

it("a key of a deleted project still signs in", async () => {
  const project = await api.newProject();
  const key = await api.newKey(["vpc:edit", "project:read"], { project_ids: [project] });
  expect((await api.call("DELETE", `/v1/projects/${project}`)).status).toBe(204);
  expect(await api.get("/v1/projects", key)).toMatchObject({ items: [] });
  expect((await api.call("GET", `/v1/projects/${project}`, { key })).status).toBe(404);
  const refused = await api.create(paths.vpcs, { ...requests.vpc, project_id: project }, key);
  expect([refused.status, badParameters(refused)]).toEqual([400, ["project_id"]]);
  expect(await api.ownKeys()).toMatchObject([{ project_ids: [project] }]);
});

it("a key sees operations of the kinds it may read", async () => {
  const { id: rule } = (await api.create(paths.rules, requests.rule)).body;
  const { id: link } = (await api.create(paths.connections, requests.connection)).body;
  const network = await api.newKey(["vpc:read"]);
  expect(await api.get(`/v1/operations/${String(rule)}`, network)).toMatchObject({ id: rule });
  expect(await api.get(`/v1/operations/${String(link)}`, network)).toMatchObject({ type: "AUTHORIZATION_ERROR" });
  const shown = await api.get(`/v1/operations?project_id=${api.projectId}`, network);
  expect(shown).toMatchObject({ items: [{ id: rule }], pagination: { total_count: 1 } });
});

/* Project scope: section 5.5, rule 2. */

// uninvited.test.ts sends a valid request to every route. Here the request has an error that must not reveal more.
it("the scope is checked before errors of the request", async () => {
  const key = await api.newKey(["vpc:edit", "connect_connection:edit"], { project_ids: [await api.newProject()] });
  for (const [method, path, body] of [
    ["POST", paths.connections, { project_id: api.projectId }],
    ["POST", `${paths.connections}/cost`, { project_id: api.projectId }],
    ["GET", `${paths.vpcs}?project_id=${api.projectId}&limit=nonsense`],
  ] as const) {
    const reply = await api.call(method, path, { key, ...(body && { body }) });
    expect([method, path, reply.status, reply.body["type"]]).toEqual([method, path, 403, "AUTHORIZATION_ERROR"]);
  }
});

it("an organization's list shows only objects in scope", async () => {
  const second = await api.newProject();
  const key = await api.newKey(["project:read", "api_key:read"], { project_ids: [second] });
  const pagination = { total_count: 1 };
  expect(await api.get("/v1/projects", key)).toMatchObject({ items: [{ id: second }], pagination });
  expect(await api.get(paths.apiKeys, key)).toMatchObject({ items: [{ project_ids: [second] }], pagination });
  expect(await api.get(paths.apiKeys)).toMatchObject({ pagination: { total_count: 2 } });
});

/* IP rules: section 7.3. */

it.each([
  ["no rule", undefined, 200],
  ["empty lists", { allowed: [], blocked: [] }, 200],
  ["the address allowed", { allowed: ["127.0.0.1"] }, 200],
  ["its network allowed", { allowed: ["192.168.1.0/24", "127.0.0.0/8"] }, 200],
  ["another network allowed", { allowed: ["192.168.1.0/24"] }, 403],
  ["another blocked", { blocked: ["192.168.1.0/24"] }, 200],
  ["the address blocked", { blocked: ["127.0.0.1/32"] }, 403],
  ["the network allowed and the address blocked", { allowed: ["127.0.0.0/8"], blocked: ["127.0.0.1"] }, 403],
])("applies an IP rule with %s", async (_name, source_ip_rule, status) => {
  const key = await api.newKey(["vpc:read"], source_ip_rule ? { source_ip_rule } : {});
  for (const path of ["/v1/regions", "/v1/projects"]) {
    const reply = await api.call("GET", path, { key });
    if (status === 403) expect([reply.status, reply.body["type"]]).toEqual([403, "IP_RESTRICTED_ERROR"]);
    else expect(reply.body["type"]).not.toBe("IP_RESTRICTED_ERROR");
  }
});

it("an IPv4 address in IPv6 form counts as IPv4", () => {
  expect(clientAddress("::ffff:192.168.1.100")).toBe("192.168.1.100");
  expect(clientAddress("192.168.1.100")).toBe("192.168.1.100");
  expect(clientAddress("::1")).toBe("::1");
});

it.each([
  ["192.168.1.100", true],
  ["192.168.1.101", false],
  ["10.200.0.1", true],
  ["11.0.0.1", false],
  ["::1", false],
  ["::ffff:10.0.0.1", true],
])("an IP rule accepts the address %s: %s", (address, isIn) => {
  const rule = { allowed: ["192.168.1.0/24", "10.0.0.0/8"], blocked: ["192.168.1.101/32"] };
  expect(isAccepted(address, rule)).toBe(isIn);
});

// Some machines have no IPv6 loopback.
const hasIpv6 = Object.values(networkInterfaces()).some((ends) => ends?.some(({ address }) => address === "::1"));
(hasIpv6 ? it : it.skip)("a server on both families sees IPv4 as IPv4", async () => {
  await withHarness({ host: "::" }, async (dual) => {
    const port = new URL(dual.url).port;
    const key = await dual.newKey(["vpc:edit"], { source_ip_rule: { allowed: ["127.0.0.0/8"] } });
    const body = JSON.stringify(requests.vpc);
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const post = (host: string) => fetch(`http://${host}:${port}${paths.vpcs}`, { method: "POST", headers, body });
    expect((await post("127.0.0.1")).status).toBe(202);
    expect((await post("[::1]")).status).toBe(403);
    const logs = (await dual.state())["auditLogs"] ?? [];
    expect(logs.map(({ client_ip }) => client_ip)).toEqual(["::1", "127.0.0.1", "::1"]);
  });
});
