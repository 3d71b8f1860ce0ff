import { request } from "undici";
import { nounsOf } from "../../src/simulator/nouns/noun-registry";
import { populate } from "./support/populated";
import { harnessForSuite, type Json, paths, permissionOf, requests, withHarness } from "./support/harness";

const api = harnessForSuite();

it("advancing moves the API's time", async () => {
  expect((await api.control("GET", "/clock")).body).toEqual({ now: "2026-03-01T12:00:00Z" });
  expect((await api.control("POST", "/clock", { advance: "20d" })).body).toEqual({ now: "2026-03-21T12:00:00Z" });
  expect((await api.control("POST", "/clock", { advance: 1500 })).body).toEqual({ now: "2026-03-21T12:00:01.500Z" });
  expect((await api.call("GET", "/v1/regions")).headers["date"]).toBe("Sat, 21 Mar 2026 12:00:01 GMT");
});

it.each(["application/x-www-form-urlencoded", "text/plain;charset=UTF-8"])(
  "a body of the type %s is read as JSON",
  async (type) => {
    const { statusCode, body } = await request(`${api.controlUrl}/clock`, {
      method: "POST",
      headers: { "content-type": type },
      body: '{"advance":"1h"}',
    });
    expect([statusCode, await body.json()]).toEqual([200, { now: "2026-03-01T13:00:00Z" }]);
    expect((await api.control("GET", "/clock")).body).toEqual({ now: "2026-03-01T13:00:00Z" });
  },
);

it("follows its base clock", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  await withHarness({ clock: { now: () => now } }, async (running) => {
    await running.advance("1d");
    now += 1000;
    expect((await running.control("GET", "/clock")).body).toEqual({ now: "2026-01-02T00:00:01Z" });
  });
});

it.each([
  ["/clock", { advance: "-1s" }],
  ["/clock", { advance: -1 }],
  ["/clock", { advance: "soon" }],
  ["/clock", { advance: "200y" }],
  ["/clock", { advance: null }],
  ["/clock", {}],
  ["/clock", undefined],
  ["/clock", "x"],
  ["/clock", { advance: "1s", back: true }],
  ["/prices", { networking_vpc: 5 }],
  ["/prices", { networking_vpc: "5 USD" }],
  ["/prices", { networking_vpc: "-5" }],
  ["/prices", { networking_vpc: "1e3" }],
  ["/prices", { unknown: "5" }],
  ["/prices", "x"],
  ["/lag", { reads: "soon" }],
  ["/lag", { list: "1s" }],
  ["/lag", { audit: -1 }],
  ["/capacity", { nowhere: [] }],
  ["/capacity", { "us-sva-2": ["coffee"] }],
  ["/state", { servers: [] }],
  ["/state", { firewallRules: [{ id: "x" }] }],
  ["/state", { connections: [{ status: "asleep" }] }],
  ["/state", "x"],
])("POST %s with %j answers 400 and changes nothing", async (path, body) => {
  const before = await api.control("GET", path);
  const reply = await api.control("POST", path, body);
  expect([reply.status, reply.body]).toEqual([400, { error: expect.any(String) as string }]);
  expect((await api.control("GET", path)).body).toEqual(before.body);
});

it("requests are listed without query, body and credential", async () => {
  const key = await api.newKey(["vpc:read"]);
  await api.call("GET", "/v1/regions?limit=5&secret=hidden", { key });
  await api.call("GET", "/v1/nowhere", { key: "wrong-credential" });
  const list = await api.requests();
  expect(list).toEqual([
    { method: "POST", path: "/v1/api_keys", status: 201 },
    { method: "GET", path: "/v1/regions", status: 200 },
    { method: "GET", path: "/v1/nowhere", status: 401 },
  ]);
});

it("a reset restores the start, with the same ids", async () => {
  const atStart = await api.state();
  const key = await api.newKey(["vpc:read"]);
  await api.newProject();
  await api.create(paths.rules, requests.rule);
  await api.call("PATCH", `${paths.vpcs}/${api.vpcId}`, { body: { name: "other" } });
  await api.advance("1h");
  await api.fault({ path: ".", status: 500, every: 1 });
  await api.control("POST", "/prices", { networking_vpc: "99" });
  await api.control("POST", "/capacity", { [api.region]: ["networking.vpcs"] });
  expect((await api.control("POST", "/reset")).status).toBe(204);
  expect(await api.requests()).toEqual([]);
  expect(await api.state()).toEqual(atStart);
  expect(atStart).toMatchObject({
    apiKeys: [{ managed: true }],
    connections: [],
    firewallRules: [],
    vpcs: [{ id: api.vpcId, project_id: api.projectId, subnet: { cidr: "10.0.0.0/25" }, status: "ready" }],
    projects: [{ id: api.projectId }],
    operations: [],
    auditLogs: [],
  });
  expect((await api.control("GET", "/faults")).body).toEqual([]);
  expect((await api.control("GET", "/capacity")).body).toEqual({});
  expect((await api.control("GET", "/prices")).body).toMatchObject({ networking_vpc: "7.30" });
  expect((await api.control("GET", "/clock")).body).toEqual({ now: "2026-03-01T12:00:00Z" });
  expect((await api.call("GET", "/v1/regions")).status).toBe(200);
  expect((await api.call("GET", "/v1/regions", { key })).status).toBe(401);
  expect(await api.get(`/v1/quotas/${api.region}`)).toMatchObject({ networking: { vpcs: { used: 1 } } });
});

it("an unknown path or malformed JSON is an error", async () => {
  expect((await api.control("GET", "/nowhere")).body["error"]).toContain("GET /nowhere");
  expect((await api.control("POST", "/clock", "{")).status).toBe(400);
});

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
  await api.place({ apiKeys: [key()], connections: [broken], firewallRules: [late] });
  expect(await api.get(`${paths.rules}/${ID}`)).toEqual(late);
  expect(await api.get(`${paths.connections}/${ID}`)).toEqual(broken);
  expect(await api.get(`${paths.apiKeys}/${ID}`)).toEqual({ ...key(), status: "active" });
});

it("an object replaces the one with its id", async () => {
  await api.place({ connections: [connection()], firewallRules: [rule()] });
  const changed = connection({ bandwidth_mbps: 500, region: "us-wdc-1" });
  await api.place({ connections: [changed] });
  expect(await api.state()).toMatchObject({ connections: [changed], firewallRules: [rule()] });
});

it("a key signs in with its given secret, never shown", async () => {
  const secret = "a-secret-from-elsewhere";
  await api.place({ apiKeys: [key({ key: secret })] });
  const answer = await api.place({ apiKeys: [key({ name: "renamed" })] });
  expect((await api.call("GET", `${paths.vpcs}/${api.vpcId}`, { key: secret })).status).toBe(200);
  expect(JSON.stringify([answer.body, await api.state()])).not.toContain(secret);
  await api.place({ apiKeys: [key({ expires_at: "2026-02-01T00:00:00Z" })] });
  expect((await api.call("GET", `${paths.vpcs}/${api.vpcId}`, { key: secret })).status).toBe(401);
});

it.each([
  ["ready", "319.80"],
  ["creating", "7.30"],
  ["error", "7.30"],
])("an object placed as %s is billed accordingly", async (status, cost) => {
  await api.place({ connections: [connection({ bandwidth_mbps: 50, status })] });
  await api.place({ connections: [connection({ status })], firewallRules: [rule({ status })] });
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
    await nirvana.place({ connections: [connection({ region: "us-wdc-1" })] });
    await nirvana.place({ connections: [connection()] });
    expect(await nirvana.get("/v1/quotas/us-wdc-1")).toMatchObject(used(0));
    expect(await nirvana.get(`/v1/quotas/${api.region}`)).toMatchObject(used(1));
    expect((await nirvana.get(`${paths.connections}/${ID}`))["aws"]).toEqual({ region: "us-west-2" });
  });
});

it.each(["spec", "nirvana"] as const)("takes all objects of the %s dialect that it shows", async (dialect) => {
  await withHarness({ dialect }, async (running) => {
    await populate(running);
    const before = await running.state();
    const keys = nounsOf(dialect).map(({ key }) => key);
    const objects = Object.fromEntries(keys.map((key) => [key, before[key]]));
    const { status, body } = await running.control("POST", "/state", objects);
    expect([status, body["error"]]).toEqual([200, undefined]);
    const after = await running.state();
    expect(Object.fromEntries(keys.map((key) => [key, after[key]]))).toEqual(objects);
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
