import { harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0", lag: "reads=3s,lists=15s,audit=5s" });

const collections = [
  [paths.apiKeys, requests.key],
  [paths.connections, requests.connection],
  [paths.rules, requests.rule],
] as const;

const createKey = () => api.create(paths.apiKeys, requests.key);
const itemsOf = async (list: string): Promise<readonly Json[]> => {
  const query = list.includes("connections") ? `?project_id=${api.projectId}` : "";
  return (await api.get(list + query))["items"] as Json[];
};
const idsOf = async (list: string): Promise<unknown[]> => (await itemsOf(list)).map(({ id }) => id);

it("a new object answers 404 during the lag of reads", async () => {
  for (const [collection, body] of collections) {
    const { at } = await api.create(collection, body);
    const early = await api.call("GET", at);
    expect([early.status, early.body["type"]]).toEqual([404, "NOT_FOUND_ERROR"]);
    await api.advance("2999ms");
    expect((await api.call("GET", at)).status).toBe(404);
    await api.advance("1ms");
    expect((await api.call("GET", at)).status).toBe(200);
  }
});

it("changes and deletions take effect without the lag", async () => {
  expect((await api.call("DELETE", (await createKey()).at)).status).toBe(204);
  expect(await api.ownKeys()).toEqual([]);
});

it("lists show the earlier state during the lag", async () => {
  for (const [collection, body] of collections) {
    const before = await idsOf(collection);
    const { id, at } = await api.create(collection, { ...body, name: "first" });
    await api.advance("10s");
    await api.call("PATCH", at, { body: { name: "second" } });
    await api.advance("4999ms");
    expect(await idsOf(collection)).toEqual(before);
    await api.advance("1ms");
    expect(await itemsOf(collection)).toContainEqual(expect.objectContaining({ id, name: "first" }));
    await api.advance("10s");
    expect(await itemsOf(collection)).toContainEqual(expect.objectContaining({ id, name: "second" }));
    await api.call("DELETE", at);
    await api.advance("14s");
    expect(await idsOf(collection)).toEqual([...before, id]);
    await api.advance("1s");
    expect(await idsOf(collection)).toEqual(before);
  }
});

it("a cursor leads to the next page despite the lag", async () => {
  const ids = [];
  for (let nth = 0; nth < 3; nth += 1) ids.push((await createKey()).id);
  await api.advance("15s");
  await createKey();
  const first = await api.get(`${paths.apiKeys}?limit=2`);
  const cursor = (first["pagination"] as Json)["next_cursor"];
  const second = await api.get(`${paths.apiKeys}?limit=2&cursor=${String(cursor)}`);
  const shown = [...(first["items"] as Json[]), ...(second["items"] as Json[])].map(({ id }) => id);
  expect(shown.slice(1)).toEqual(ids);
  expect(second["pagination"]).toMatchObject({ next_cursor: null, total_count: 4 });
});

it("shows a single audit log at once", async () => {
  await createKey();
  const [log] = (await api.state())["auditLogs"] ?? [];
  expect((await api.call("GET", `/v1/audit_logs/${String(log?.["id"])}`)).status).toBe(200);
});

it("the list shows each audit log after the lag", async () => {
  await api.fault({ method: "POST", path: "/api_keys$", drop: "after" });
  const headers = { "user-agent": "tester/1" };
  await expect(api.call("POST", paths.apiKeys, { body: requests.key, headers })).rejects.toThrow();
  const [key] = await api.ownKeys();
  await api.advance("4999ms");
  expect(await itemsOf("/v1/audit_logs")).toEqual([]);
  await api.advance("1ms");
  expect(await itemsOf("/v1/audit_logs")).toMatchObject([
    { user_agent: "tester/1", path: "/v1/api_keys", status_code: 201, target: { id: key?.["id"], type: "api_key" } },
  ]);
});

it("sets the lag by POST /lag, without lag for omitted kinds", async () => {
  expect((await api.control("GET", "/lag")).body).toEqual({ reads: 3000, lists: 15_000, audit: 5000 });
  const { id, at } = await createKey();
  expect((await api.control("POST", "/lag", { lists: "1h" })).body).toEqual({ reads: 0, lists: 3_600_000, audit: 0 });
  expect((await api.call("GET", at)).status).toBe(200);
  expect(await itemsOf("/v1/audit_logs")).toHaveLength(1);
  await api.call("DELETE", at);
  expect(await idsOf(paths.apiKeys)).toContain(id);
  await api.control("POST", "/lag", {});
  expect(await idsOf(paths.apiKeys)).not.toContain(id);
});

it("a reset restores the lag of the start", async () => {
  await api.control("POST", "/lag", {});
  api.reset();
  expect((await api.control("GET", "/lag")).body).toMatchObject({ reads: 3000 });
});
