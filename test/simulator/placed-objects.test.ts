import { harnessForSuite, type Json, paths, permissionOf, requests, withHarness } from "./support/harness";

const api = harnessForSuite();

const ID = "00000000-0000-4000-8000-0000000000aa";
const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-02T00:00:00Z" };

const rule = (more: Json = {}): Json => ({
  ...{ id: ID, vpc_id: api.vpcId, tags: [], status: "ready", ...requests.rule, ...times, ...more },
});
const connection = (more: Json = {}): Json => ({
  ...{ ...requests.connection, id: ID, status: "ready", external_provider: { region: "us-west-2" } },
  ...{ asn: 1, provider_asn: null, router_ip: null, provider_router_ip: null, tags: ["a"], ...times, ...more },
});
const key = (more: Json = {}): Json => ({
  ...{ ...requests.key, id: ID, managed: false, permissions: [permissionOf("vpc:edit")] },
  ...{ source_ip_rule: { allowed: [], blocked: [] }, tags: [], ...times, ...more },
});

/** The monthly cost of all running resources, from the summary of a quote. */
async function monthlyCost(): Promise<unknown> {
  const { body } = await api.create(`${paths.connections}/cost`, requests.connection);
  return (body["current_summary"] as Json)["monthly_cost"];
}

it("objects are stored as given", async () => {
  const broken = connection({ status: "error" });
  const late = rule({ status: "creating", created_at: "2126-01-01T00:00:00Z", updated_at: "2126-01-02T00:00:00Z" });
  await api.control("POST", "/state", { apiKeys: [key()], connections: [broken], firewallRules: [late] });
  expect(await api.get(`${paths.rules}/${ID}`)).toEqual(late);
  expect(await api.get(`${paths.connections}/${ID}`)).toEqual(broken);
  expect(await api.get(`${paths.apiKeys}/${ID}`)).toEqual({ ...key(), status: "active" });
});

it("an object replaces the one with its id", async () => {
  await api.control("POST", "/state", { connections: [connection()], firewallRules: [rule()] });
  const changed = connection({ bandwidth_mbps: 500, region: "us-wdc-1" });
  await api.control("POST", "/state", { connections: [changed] });
  expect(await api.state()).toMatchObject({ connections: [changed], firewallRules: [rule()] });
});

it("a key signs in with its given secret, never shown", async () => {
  const secret = "a-secret-from-elsewhere";
  await api.control("POST", "/state", { apiKeys: [key({ key: secret })] });
  const answer = await api.control("POST", "/state", { apiKeys: [key({ name: "renamed" })] });
  expect((await api.call("GET", `${paths.vpcs}/${api.vpcId}`, { key: secret })).status).toBe(200);
  expect(JSON.stringify([answer.body, await api.state()])).not.toContain(secret);
  await api.control("POST", "/state", { apiKeys: [key({ expires_at: "2026-02-01T00:00:00Z" })] });
  expect((await api.call("GET", `${paths.vpcs}/${api.vpcId}`, { key: secret })).status).toBe(401);
});

it.each([
  ["ready", "319.80"],
  ["creating", "7.30"],
  ["error", "7.30"],
])("an object placed as %s is billed accordingly", async (status, cost) => {
  await api.control("POST", "/state", { connections: [connection({ bandwidth_mbps: 50, status })] });
  await api.control("POST", "/state", { connections: [connection({ status })], firewallRules: [rule({ status })] });
  expect(await monthlyCost()).toBe(cost);
  await api.call("DELETE", `${paths.connections}/${ID}`);
  await api.call("DELETE", `${paths.rules}/${ID}`);
  await api.advance("10s");
  expect(await api.state()).toMatchObject({ connections: [], firewallRules: [] });
  expect(await monthlyCost()).toBe("7.30");
});

it("a placed object counts once in the quotas", async () => {
  await withHarness({ dialect: "nirvana" }, async (nirvana) => {
    const used = (count: number) => ({ networking: { connect_connections: { used: count } } });
    await nirvana.control("POST", "/state", { connections: [connection({ region: "us-wdc-1" })] });
    await nirvana.control("POST", "/state", { connections: [connection()] });
    expect(await nirvana.get("/v1/quotas/us-wdc-1")).toMatchObject(used(0));
    expect(await nirvana.get(`/v1/quotas/${api.region}`)).toMatchObject(used(1));
    expect((await nirvana.get(`${paths.connections}/${ID}`))["aws"]).toEqual({ region: "us-west-2" });
  });
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
