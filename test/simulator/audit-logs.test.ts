import { harnessForSuite, type Json, paths, requests } from "./support/harness";

const api = harnessForSuite({ operationTime: "0" });

const logs = async (): Promise<Json[]> => (await api.state())["auditLogs"] ?? [];

/* Audit logs: section 2.4. */

it("records changes, but no reads and quotes", async () => {
  const owner = { type: "user", name: "owner", id: expect.any(String) as string };
  const expected: Json[] = [];
  const mutate = async (method: string, path: string, action: string, body?: Json): Promise<string> => {
    const reply = await api.call(method, path, { ...(body ? { body } : {}), headers: { "user-agent": "tester/1" } });
    const { resource_id, id: ownId } = reply.body as { resource_id?: string; id?: string };
    const id = resource_id ?? ownId ?? path.split("/").at(-1) ?? "";
    expected.push({
      ...{ id: expect.any(String) as string, action, actor: owner, target: { id, type: action.split(".")[0] } },
      ...{ method, path, status_code: reply.status, created_at: "2026-03-01T12:00:00Z" },
      ...{ client_ip: "127.0.0.1", user_agent: "tester/1" },
    });
    return id;
  };
  const update = { name: "x" };
  for (const [collection, kind, create] of [
    [paths.apiKeys, "api_key", requests.key],
    [paths.connections, "connect_connection", requests.connection],
    [paths.rules, "firewall_rule", requests.rule],
    [paths.vpcs, "vpc", requests.vpc],
  ] as const) {
    const id = await mutate("POST", collection, `${kind}.create`, create);
    await api.call("POST", `${collection}/cost`, { body: create });
    await api.call("GET", `${collection}/${id}`);
    await mutate("PATCH", `${collection}/${id}`, `${kind}.update`, update);
    await api.call("PATCH", `${collection}/${id}/cost`, { body: update });
    await mutate("DELETE", `${collection}/${id}`, `${kind}.delete`);
  }
  expect(expected.map(({ status_code }) => status_code)).toEqual([201, 200, 204, ...Array<number>(9).fill(202)]);
  expect(await logs()).toEqual(expected);
});

it("a rejected request leaves an audit log with its status", async () => {
  const key = await api.newKey(["vpc:read"]);
  const before = (await logs()).length;
  await api.call("POST", paths.apiKeys, { key: null });
  await api.call("POST", "/v1/nowhere", { body: {} });
  expect(await logs()).toHaveLength(before);
  await api.create(paths.apiKeys, requests.key, key);
  await api.call("POST", paths.apiKeys, { body: "{" });
  await api.call("POST", paths.apiKeys, { body: {} });
  await api.call("DELETE", "/v1/api_keys/nothing");
  const refused = (await logs()).slice(before);
  expect(refused.map(({ status_code }) => status_code)).toEqual([403, 400, 400, 404]);
  expect(refused[0]).toMatchObject({ actor: { type: "api_key", name: "deployer" }, target: null });
  expect(refused[3]).toMatchObject({ target: { id: "nothing", type: "api_key" } });
});

it.each([
  ["actor_type=user", 3],
  ["actor_type=api_key", 0],
  ["client_ip=127.0.0.1", 3],
  ["client_ip=127.0.0", 0],
  ["path=API_keys", 2],
  ["status_code_min=400", 1],
  ["status_code_max=201", 1],
  ["status_code_min=201&status_code_max=202", 2],
  ["created_at_min=2026-03-01T12:00:00Z&created_at_max=2026-03-01T12:00:00Z", 3],
  ["created_at_min=2026-03-01T12:00:00.001Z", 0],
  ["created_at_max=2026-03-01T11:59:59Z", 0],
])("filters by %s, as public clients do", async (query, count) => {
  await api.create(paths.apiKeys, requests.key);
  await api.create(paths.apiKeys, {});
  await api.create(paths.vpcs, requests.vpc);
  const { names, total } = await api.page(`/v1/audit_logs?${query}`);
  expect([names.length, total]).toEqual([count, count]);
});

it("lists the matching logs, newest first", async () => {
  const created = await api.create(paths.apiKeys, requests.key);
  await api.call("DELETE", created.at);
  const reader = await api.newKey(["audit_log:read"]);
  const list = async (query: string): Promise<Json[]> =>
    (await api.get(`/v1/audit_logs${query}`, reader))["items"] as Json[];
  const actions = (await list("")).map(({ action }) => action);
  expect(actions).toEqual(["api_key.create", "api_key.delete", "api_key.create"]);
  expect(await list("?action=api_key.delete")).toMatchObject([{ status_code: 204 }]);
  expect(await list(`?target_id=${created.id}`)).toHaveLength(2);
  expect(await list("?method=PATCH")).toEqual([]);
  const [newest] = await list("?limit=1");
  expect(await api.get(`/v1/audit_logs/${String(newest?.["id"])}`)).toEqual(newest);
  expect((await api.call("GET", "/v1/audit_logs/nothing")).status).toBe(404);
});
