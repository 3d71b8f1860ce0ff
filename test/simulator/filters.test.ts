import { expectRejected, harnessForSuite, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });

it("an empty list has no cursors", async () => {
  expect(await api.get(paths.rules)).toEqual({
    items: [],
    pagination: { next_cursor: null, previous_cursor: null, total_count: 0 },
  });
});

it("a page has 20 objects by default, at most 100", async () => {
  await api.addRules(21);
  expect((await api.page(paths.rules)).names).toHaveLength(20);
  expect((await api.page(`${paths.rules}?limit=100`)).names).toHaveLength(21);
  expect((await api.page(`${paths.rules}?limit=1`)).names).toHaveLength(1);
});

it.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "limit=", "limit=-1", "limit=1&limit=2"])(
  "a page with %s is 400",
  (query) => expectRejected(api, "GET", [`${paths.rules}?${query}`], undefined, "limit"),
);

it("an invalid cursor is 400", async () => {
  await api.addRules(3);
  const { next } = await api.page(`${paths.rules}?limit=1&name=rule`);
  const queries = ["x", "", `${String(next)}&limit=1`, `${String(next)}&name=rule&sort=created_at:desc`];
  const lists = queries.map((query) => `${paths.rules}?cursor=${query}`);
  await expectRejected(api, "GET", lists, undefined, "cursor");
});

it.each([
  ["name=RULE-1", ["rule-1"]],
  ["name=rule", ["rule-0", "rule-1", "rule-2", "rule-3"]],
  ["tags=even", ["rule-0", "rule-2"]],
  ["tags=even,all", ["rule-0", "rule-2"]],
  ["tags=even&tags=odd", []],
  ["status=ready", ["rule-0", "rule-1", "rule-2", "rule-3"]],
  ["status=deleting", []],
  ["tags=odd&name=3", ["rule-3"]],
])("a list filtered by %s has the matches only", async (query, names) => {
  await api.addRules(4);
  expect(await api.page(`${paths.rules}?${query}`)).toMatchObject({ names, total: names.length });
});

it.each([
  ["provider=aws", ["west"]],
  ["provider=other", []],
  ["provider_region=us-west-1", ["west"]],
  ["provider_region=us-east-1", []],
  ["bandwidth_mbps=50", ["bare"]],
  ["bandwidth_mbps=200&provider=aws", ["west"]],
  ["region=us-sva-2", ["west", "bare"]],
  ["region=us-wdc-1", []],
])("connections are filtered by %s", async (query, names) => {
  const external_provider = { account_id: "523816707215", region: "us-west-1" };
  await api.create(paths.connections, { ...requests.connection, name: "west", external_provider });
  await api.create(paths.connections, { ...requests.connection, name: "bare", bandwidth_mbps: 50 });
  const path = `${paths.connections}?project_id=${api.projectId}&${query}`;
  expect(await api.page(path)).toMatchObject({ names, total: names.length });
});

it("an unavailable bandwidth is rejected", async () => {
  const path = `${paths.connections}?project_id=${api.projectId}&bandwidth_mbps=`;
  await expectRejected(api, "GET", [`${path}51`, `${path}x`, path], undefined, "bandwidth_mbps");
});

it("routes are filtered by both of their ends", async () => {
  const count = async (query: string) => (await api.page(`/v1/networking/connect/routes?${query}`)).total;
  expect(await count("region=us-wdc-1&provider_region=us-east-2&provider=aws")).toBe(1);
  expect(await count("region=us-sva-2&provider_region=us-east-2")).toBe(0);
  expect(await count("provider_region=us-east-1")).toBe(2);
  expect(await count("provider=other")).toBe(0);
});

it("returns every page of a filtered list", async () => {
  await api.addRules(6);
  const first = await api.page(`${paths.rules}?limit=2&tags=even`);
  expect(first).toMatchObject({ names: ["rule-0", "rule-2"], total: 3 });
  const second = await api.page(`${paths.rules}?limit=2&tags=even&cursor=${String(first.next)}`);
  expect(second).toMatchObject({ names: ["rule-4"], next: null });
  expect((await api.page(`${paths.rules}?limit=2&tags=even&cursor=${String(second.previous)}`)).names).toEqual(
    first.names,
  );
});

it("filters a key by its current status", async () => {
  await api.create(paths.apiKeys, { ...requests.key, name: "short", expires_at: "2026-03-01T13:00:00Z" });
  expect((await api.page(`${paths.apiKeys}?status=expired`)).names).toEqual([]);
  await api.advance("1h");
  expect((await api.page(`${paths.apiKeys}?status=expired`)).names).toEqual(["short"]);
  expect((await api.page(`${paths.apiKeys}?name=SHO`)).names).toEqual(["short"]);
});

it.each([paths.vpcs, paths.connections, "/v1/operations"])("GET %s requires project_id", async (path) => {
  const bad = [path, `${path}?project_id=`, `${path}?project_id=nowhere`];
  await expectRejected(api, "GET", bad, undefined, "project_id");
  expect((await api.call("GET", `${path}?project_id=${api.projectId}`)).status).toBe(200);
});

it.each([
  "/v1/api_keys",
  "/v1/audit_logs",
  "/v1/projects",
  "/v1/quotas",
  "/v1/regions",
  "/v1/networking/connect/routes",
])("GET %s does not require project_id", async (path) => {
  expect((await api.call("GET", path)).status).toBe(200);
});

it("a list has the objects of one project", async () => {
  const second = await api.newProject();
  await api.create(paths.connections, { ...requests.connection, project_id: second });
  const list = `${paths.connections}?project_id=`;
  expect(await api.page(list + api.projectId)).toMatchObject({ total: 0 });
  expect(await api.page(list + second)).toMatchObject({ names: ["link"], total: 1 });
});
