import { type Json, connectionRequest, harnessForSuite, ruleRequest, startHarness } from "./support/harness";

const api = harnessForSuite();

const ID = "00000000-0000-4000-8000-0000000000aa";
const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-02T00:00:00Z" };

const rule = (more: Json = {}): Json => ({
  ...{ id: ID, vpc_id: api.vpcId, tags: [], status: "ready", ...ruleRequest, ...times, ...more },
});
const connection = (more: Json = {}): Json => ({
  ...{ id: ID, name: "link", project_id: api.projectId, region: api.region, status: "ready", bandwidth_mbps: 200 },
  ...{ cidrs: ["10.0.0.0/16"], provider_cidrs: ["172.16.0.0/16"], external_provider: { region: "us-west-2" } },
  ...{ asn: 1, provider_asn: null, router_ip: null, provider_router_ip: null, tags: ["a"], ...times, ...more },
});
const key = (more: Json = {}): Json => ({
  ...{ id: ID, name: "deployer", expires_at: "2026-06-01T00:00:00Z", managed: false, project_ids: [api.projectId] },
  ...{ permissions: [{ resource_type: "vpc", permission: "edit" }], source_ip_rule: { allowed: [], blocked: [] } },
  ...{ tags: [], ...times, ...more },
});

/** The monthly cost of all running resources, from the summary of a quote. */
async function monthlyCost(): Promise<unknown> {
  const body = connectionRequest(api.projectId, api.region);
  const quote = (await api.call("POST", "/v1/networking/connect/connections/cost", { body })).body;
  return (quote["current_summary"] as Json)["monthly_cost"];
}

it("objects are stored as given", async () => {
  await api.control("POST", "/state", {
    apiKeys: [key()],
    connections: [connection({ status: "error" })],
    firewallRules: [rule({ status: "creating" })],
  });
  expect((await api.call("GET", `/v1/networking/vpcs/${api.vpcId}/firewall_rules/${ID}`)).body).toEqual(
    rule({ status: "creating" }),
  );
  expect((await api.call("GET", `/v1/networking/connect/connections/${ID}`)).body).toEqual(
    connection({ status: "error" }),
  );
  expect((await api.call("GET", `/v1/api_keys/${ID}`)).body).toEqual({ ...key(), status: "active" });
});

it("an object with a future date is shown", async () => {
  const late = rule({ created_at: "2126-01-01T00:00:00Z", updated_at: "2126-01-02T00:00:00Z" });
  await api.control("POST", "/state", { firewallRules: [late] });
  expect((await api.call("GET", `/v1/networking/vpcs/${api.vpcId}/firewall_rules/${ID}`)).body).toEqual(late);
});

it("an object replaces the one with its id", async () => {
  await api.control("POST", "/state", { connections: [connection()], firewallRules: [rule()] });
  await api.control("POST", "/state", { connections: [connection({ bandwidth_mbps: 500, region: "us-wdc-1" })] });
  const { connections, firewallRules } = await api.state();
  expect(connections).toEqual([connection({ bandwidth_mbps: 500, region: "us-wdc-1" })]);
  expect(firewallRules).toEqual([rule()]);
});

it("a key signs in with its given secret, never shown", async () => {
  const secret = "a-secret-from-elsewhere";
  await api.control("POST", "/state", { apiKeys: [key({ key: secret })] });
  const answer = await api.control("POST", "/state", { apiKeys: [key({ name: "renamed" })] });
  expect((await api.call("GET", `/v1/networking/vpcs/${api.vpcId}`, { key: secret })).status).toBe(200);
  expect(JSON.stringify([answer.body, await api.state()])).not.toContain(secret);
  await api.control("POST", "/state", { apiKeys: [key({ expires_at: "2026-02-01T00:00:00Z" })] });
  expect((await api.call("GET", `/v1/networking/vpcs/${api.vpcId}`, { key: secret })).status).toBe(401);
});

it.each([
  ["ready", "319.80"],
  ["creating", "7.30"],
  ["error", "7.30"],
])("an object placed as %s is billed accordingly", async (status, cost) => {
  await api.control("POST", "/state", { connections: [connection({ bandwidth_mbps: 50, status })] });
  await api.control("POST", "/state", { connections: [connection({ status })], firewallRules: [rule({ status })] });
  expect(await monthlyCost()).toBe(cost);
  await api.call("DELETE", `/v1/networking/connect/connections/${ID}`);
  await api.call("DELETE", `/v1/networking/vpcs/${api.vpcId}/firewall_rules/${ID}`);
  await api.advance("10s");
  expect(await api.state()).toMatchObject({ connections: [], firewallRules: [] });
  expect(await monthlyCost()).toBe("7.30");
});

it("a placed object counts once in the quotas", async () => {
  const nirvana = await startHarness({ dialect: "nirvana" });
  const used = async (region: string): Promise<unknown> =>
    (await nirvana.call("GET", `/v1/quotas/${region}`)).body["networking"];
  try {
    await nirvana.control("POST", "/state", { connections: [connection({ region: "us-wdc-1" })] });
    await nirvana.control("POST", "/state", { connections: [connection()] });
    expect(await used("us-wdc-1")).toMatchObject({ connect_connections: { used: 0 } });
    expect(await used(api.region)).toMatchObject({ connect_connections: { used: 1 } });
    expect((await nirvana.call("GET", `/v1/networking/connect/connections/${ID}`)).body["aws"]).toEqual({
      region: "us-west-2",
    });
  } finally {
    await nirvana.close();
  }
});

it.each([
  ["an unknown kind", { servers: [] }],
  ["an object that lacks a member", { firewallRules: [{ id: ID }] }],
  ["an unknown status", { connections: [{ status: "asleep" }] }],
  ["no object at all", "x"],
])("refuses to place %s", async (_what, body) => {
  const before = await api.state();
  const reply = await api.control("POST", "/state", body);
  expect(reply.status).toBe(400);
  expect(typeof reply.body["error"]).toBe("string");
  expect(await api.state()).toEqual(before);
});

it("an invalid IP rule is 400", async () => {
  const before = await api.state();
  const body = {
    apiKeys: [{ ...before["apiKeys"]?.[0], status: undefined, source_ip_rule: { allowed: ["nowhere"], blocked: [] } }],
  };
  const reply = await api.control("POST", "/state", body);
  expect([reply.status, reply.body["error"]]).toEqual([400, expect.stringContaining("source_ip_rule.allowed.0")]);
  expect(await api.state()).toEqual(before);
});
