import { protocol } from "../../src/simulator/nouns/firewall-rule";
import { expectRejected, harnessForSuite, type Json, paths, requests } from "./support/harness";

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
  ["bandwidth_mbps=200&provider=aws", ["west"]],
])("connections are filtered by %s", async (query, names) => {
  const external_provider = { account_id: "523816707215", region: "us-west-1" };
  await api.create(paths.connections, { ...requests.connection, name: "west", external_provider });
  await api.create(paths.connections, { ...requests.connection, name: "bare", bandwidth_mbps: 50 });
  const path = `${paths.connections}?project_id=${api.projectId}&${query}`;
  expect(await api.page(path)).toMatchObject({ names, total: names.length });
});

it("rejects a filter by a bandwidth that is not offered", async () => {
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
  const back = await api.page(`${paths.rules}?limit=2&tags=even&cursor=${String(second.previous)}`);
  expect(back.names).toEqual(first.names);
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

it.each(["api_keys", "audit_logs", "projects", "quotas", "regions", "networking/connect/routes"])(
  "GET /v1/%s does not require project_id",
  async (path) => expect((await api.call("GET", `/v1/${path}`)).status).toBe(200),
);

it("a list has the objects of one project", async () => {
  const second = await api.newProject();
  await api.create(paths.connections, { ...requests.connection, project_id: second });
  const list = `${paths.connections}?project_id=`;
  expect(await api.page(list + api.projectId)).toMatchObject({ total: 0 });
  expect(await api.page(list + second)).toMatchObject({ names: ["link"], total: 1 });
});

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

const [earlier, later] = [...protocol.options].sort();
const second = { protocol: later, destination_ports: ["53"] };
async function addNamed(...rulesToAdd: readonly (readonly [name: string, more?: Json])[]): Promise<string[]> {
  const added: string[] = [];
  for (const [name, more] of rulesToAdd)
    added.push((await api.create(paths.rules, { ...requests.rule, protocol: earlier, ...more, name })).at);
  return added;
}

it.each([
  ["name:asc", ["a", "b", "c", "d"]],
  ["name:desc", ["d", "c", "b", "a"]],
  ["protocol:desc", ["b", "c", "d", "a"]],
  ["protocol:asc,name:desc", ["d", "a", "c", "b"]],
  ["protocol:asc,created_at:desc", ["a", "d", "c", "b"]],
  ["status:asc", ["b", "d", "a", "c"]],
  ["created_at:desc", ["c", "a", "d", "b"]],
  ["created_at:asc,name:desc", ["b", "d", "a", "c"]],
])("sorts by sort=%s", async (sort, names) => {
  await addNamed(["b", second], ["d"], ["a"], ["c", second]);
  const page = await api.page(`${paths.rules}?sort=${sort}`);
  expect(page).toEqual({ names, total: 4, next: null, previous: null });
});

it.each([
  ["network:desc", { blockchain: "ethereum", network: "sepolia" }],
  ["blockchain:asc", { blockchain: "arbitrum", network: "mainnet" }],
])("the blockchains of RPC nodes are sorted by sort=%s", async (sort, first) => {
  const { items } = await api.get(`/v1/rpc_nodes/flex/blockchains?sort=${sort}`);
  expect(items).toMatchObject([first, ...Array<unknown>(4).fill({})]);
});

it("times are compared as instants", async () => {
  const added = await addNamed(["first"], ["second"], ["third"]);
  const [first = "", second = "", third = ""] = added;
  for (const [at, wait] of Object.entries({ [third]: "1s", [first]: "500ms", [second]: "500ms" })) {
    await api.advance(wait);
    await api.call("PATCH", at, { body: { tags: ["touched"] } });
  }
  expect((await api.page(`${paths.rules}?sort=updated_at:asc`)).names).toEqual(["third", "first", "second"]);
  expect((await api.page(`${paths.rules}?sort=updated_at:desc`)).names).toEqual(["second", "first", "third"]);
});

it("a cursor of another order is 400", async () => {
  await addNamed(["b"], ["a"], ["c"]);
  const path = `${paths.rules}?limit=1`;
  const cursorOf = async (sort: string) => String((await api.page(`${path}&sort=${sort}`)).next);
  const madeUp = ["x", "null", "[]", "{}", '["x",null]', '["x",{}]', "7"];
  for (const [sort, cursors] of [
    ["name:asc", [await cursorOf("name:desc"), await cursorOf("created_at:asc"), ...madeUp.map(base64url)]],
    ["created_at:asc", [await cursorOf("name:asc")]],
  ] as const) {
    const pages = cursors.map((cursor) => `${path}&sort=${sort}&cursor=${cursor}`);
    await expectRejected(api, "GET", pages, undefined, "cursor");
  }
});

it.each([
  ["sort=created_at:asc", "sort"],
  ["vcpu_min=2.5", "vcpu_min"],
  ["memory_gb_max=8.5", "memory_gb_max"],
])("instance types refuse %s", (query, parameter) =>
  expectRejected(api, "GET", [`/v1/instance_types?${query}`], undefined, parameter),
);

it.each([
  ["name=STANDARD-4", ["n1-standard-4"]],
  ["family=general&network_bandwidth_gbps_max=4.5&sort=vcpu:desc", ["n1-standard-8", "n1-standard-4", "n1-standard-2"]],
])("instance types are filtered and sorted by %s", async (query, names) => {
  expect(await api.page(`/v1/instance_types?region=us-chi-1&${query}`)).toMatchObject({ names });
});

it.each(["name", "name:up", "name:asc,", "key:asc", "NAME:asc", ""])("rejects an unknown sort=%s", (sort) =>
  expectRejected(api, "GET", [`${paths.rules}?sort=${sort}`], undefined, "sort"),
);

it.each([
  ["/v1/audit_logs?", ["status_code"]],
  ["/v1/operations?project_id=P&", ["updated_at"]],
  ["/v1/networking/connect/connections?project_id=P&", ["updated_at", "name", "status", "bandwidth_mbps"]],
  ["/v1/networking/connect/routes?", ["provider_region", "region"]],
])("%s can be sorted by created_at and %j", async (path, fields) => {
  for (const bandwidth_mbps of [1000, 50])
    await api.create(paths.connections, { ...requests.connection, name: `link-${bandwidth_mbps}`, bandwidth_mbps });
  const list = path.replace("P", api.projectId);
  for (const field of ["created_at", ...fields]) {
    const read = async (direction: string): Promise<unknown[]> => {
      const { status, body } = await api.call("GET", `${list}sort=${field}:${direction}`);
      expect([field, status]).toEqual([field, 200]);
      return (body["items"] as Json[]).map((item) => item[field === "region" ? "platform_region" : field]);
    };
    const ascending = (await read("asc")) as (string | number)[];
    expect(ascending).toEqual([...ascending].sort((a, b) => (a === b ? 0 : a < b ? -1 : 1)));
    expect(await read("desc")).toEqual([...ascending].reverse());
  }
});
