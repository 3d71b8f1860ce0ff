import { request } from "undici";
import { harnessForSuite, paths, requests, withHarness } from "./support/harness";

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
  const list = await api.control("GET", "/requests");
  expect(list.body).toEqual([
    { method: "POST", path: "/v1/api_keys", status: 201 },
    { method: "GET", path: "/v1/regions", status: 200 },
    { method: "GET", path: "/v1/nowhere", status: 401 },
  ]);
  const all = JSON.stringify([list.body, await api.state()]);
  for (const secret of [key, api.apiKey, "hidden", "wrong-credential"]) expect(all).not.toContain(secret);
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
