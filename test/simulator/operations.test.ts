import { harnessForSuite, type Json, paths, requests, startTimes } from "./support/harness";

const api = harnessForSuite();

const create = async (): Promise<Json> => (await api.create(paths.connections, requests.connection)).body;
const at = (operation: Json): string => `${paths.connections}/${String(operation["resource_id"])}`;
const poll = (operation: Json): Promise<Json> => api.get(`/v1/operations/${String(operation["id"])}`);
const status = async (operation: Json): Promise<unknown> => (await api.get(at(operation)))["status"];

it("an operation is pending, running, done, and then takes effect", async () => {
  const first = await create();
  const id = expect.any(String) as string;
  const what = { kind: "connect_connection", type: "create", status: "pending", details: null };
  expect(first).toEqual({ id, ...what, project_id: api.projectId, resource_id: id, ...startTimes });
  await api.advance("2s");
  expect(await poll(first)).toEqual({ ...first, status: "running", updated_at: "2026-03-01T12:00:02Z" });
  await api.advance("5999ms");
  expect(await poll(first)).toMatchObject({ status: "running" });
  expect(await status(first)).toBe("creating");
  await api.advance("1ms");
  expect(await poll(first)).toEqual({ ...first, status: "done", updated_at: "2026-03-01T12:00:08Z" });
  expect(await status(first)).toBe("ready");
  expect((await api.state())["operations"]).toEqual([await poll(first)]);
});

it("an update lists only real changes", async () => {
  const created = await create();
  await api.advance("8s");
  const reply = await api.call("PATCH", at(created), { body: { name: "link", tags: ["b"] } });
  expect(reply.body).toMatchObject({ type: "update", resource_id: created["resource_id"] });
  expect(reply.body["details"]).toEqual({ changes: { tags: { from: [], to: ["b"] } } });
});

it("a second deletion ends with the first", async () => {
  const created = await create();
  await api.advance("8s");
  const replies = [await api.call("DELETE", at(created)), await api.call("DELETE", at(created))];
  expect(replies.map(({ status: code }) => code)).toEqual([202, 202]);
  await api.advance("8s");
  for (const { body } of replies) expect(await poll(body)).toMatchObject({ type: "delete", status: "done" });
  expect((await api.call("DELETE", at(created))).status).toBe(404);
});

it("of overlapping updates, the last one wins", async () => {
  const created = await create();
  await api.advance("8s");
  await api.call("PATCH", at(created), { body: { name: "one" } });
  await api.advance("4s");
  await api.call("PATCH", at(created), { body: { name: "two" } });
  await api.advance("4s");
  expect(await api.get(at(created))).toMatchObject({ name: "one", status: "updating" });
  await api.advance("4s");
  expect(await api.get(at(created))).toMatchObject({ name: "two", status: "ready" });
});

it("an unknown operation is 404", async () => {
  expect((await api.get("/v1/operations/nothing"))["type"]).toBe("NOT_FOUND_ERROR");
});

const spoil = (method: string, operation: string): Promise<void> =>
  api.fault({ method, path: "^/v1/networking/connect/connections", operation });

it("an object whose creation never ends can be deleted", async () => {
  await spoil("POST", "never");
  const created = await create();
  await api.advance("1y");
  expect(await poll(created)).toMatchObject({ status: "running" });
  expect(await status(created)).toBe("creating");
  await api.call("DELETE", at(created));
  await api.advance("8s");
  expect((await api.call("GET", at(created))).status).toBe(404);
  expect((await api.state())["connections"]).toEqual([]);
});

it("a second deletion works if the first never ends", async () => {
  const created = await create();
  await api.advance("8s");
  await spoil("DELETE", "never");
  await api.call("DELETE", at(created));
  await api.advance("1h");
  expect(await status(created)).toBe("deleting");
  await api.call("DELETE", at(created));
  await api.advance("8s");
  expect((await api.state())["connections"]).toEqual([]);
});

it("the list of operations is filtered, newest first", async () => {
  const link = await create();
  const rule = await api.create(paths.rules, requests.rule);
  const list = async (query: string): Promise<unknown[]> => {
    const reply = await api.call("GET", `/v1/operations?project_id=${api.projectId}${query}`);
    expect(reply.status).toBe(200);
    return (reply.body["items"] as Json[]).map(({ id }) => id);
  };
  expect(await list("")).toEqual([rule.body["id"], link["id"]]);
  expect(await list("&sort=created_at:asc")).toEqual([link["id"], rule.body["id"]]);
  expect(await list("&kind=firewall_rule")).toEqual([rule.body["id"]]);
  expect(await list(`&resource_id=${String(link["resource_id"])}`)).toEqual([link["id"]]);
  expect(await list("&status=done")).toEqual([]);
  expect(await list("&type=delete")).toEqual([]);
  expect(await list("&kind=nks_cluster")).toEqual([]);
  expect((await api.call("GET", `/v1/operations?project_id=${api.projectId}&kind=x`)).status).toBe(400);
  expect(await list("&created_at_min=2026-03-01T12:00:00Z&created_at_max=2026-03-01T13:00:00%2B01:00")).toHaveLength(2);
  expect(await list("&created_at_min=2026-03-01T12:00:01Z")).toEqual([]);
  expect(await list("&created_at_max=2026-03-01T11:59:59Z")).toEqual([]);
  await api.advance("8s");
  expect(await list("&status=done")).toHaveLength(2);
  expect((await api.call("GET", "/v1/operations")).status).toBe(400);
});
