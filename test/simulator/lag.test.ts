import { type Json, connectionRequest, harnessForSuite, keyRequest, ruleRequest } from "./support/harness";

const api = harnessForSuite({ operationTime: "0", lag: "reads=3s,lists=15s,audit=5s" });

const collections = (): (readonly [string, Json])[] => [
  ["/v1/api_keys", keyRequest(api.projectId)],
  ["/v1/networking/connect/connections", connectionRequest(api.projectId, api.region)],
  [`/v1/networking/vpcs/${api.vpcId}/firewall_rules`, ruleRequest],
];

const create = async (collection: string, body: Json): Promise<string> => {
  const made = await api.call("POST", collection, { body, headers: { "user-agent": "tester/1" } });
  return String(made.body["resource_id"] ?? made.body["id"]);
};
const itemsOf = async (list: string): Promise<readonly Json[]> => {
  const query = list.includes("connections") ? `?project_id=${api.projectId}` : "";
  return (await api.call("GET", list + query)).body["items"] as Json[];
};
const idsOf = async (list: string): Promise<unknown[]> => (await itemsOf(list)).map(({ id }) => id);

describe("with a lag of reads", () => {
  it("a new object answers 404 during the lag of reads", async () => {
    for (const [collection, body] of collections()) {
      const path = `${collection}/${await create(collection, body)}`;
      const early = await api.call("GET", path);
      expect([early.status, early.body["type"]]).toEqual([404, "NOT_FOUND_ERROR"]);
      await api.advance("2999ms");
      expect((await api.call("GET", path)).status).toBe(404);
      await api.advance("1ms");
      expect((await api.call("GET", path)).status).toBe(200);
    }
  });

  it("changes and deletions take effect without the lag", async () => {
    const path = `/v1/api_keys/${await create("/v1/api_keys", keyRequest(api.projectId))}`;
    expect((await api.call("DELETE", path)).status).toBe(204);
    expect((await api.state())["apiKeys"]?.filter(({ managed }) => managed !== true)).toEqual([]);
  });
});

describe("with a lag of lists", () => {
  it("lists show the earlier state during the lag", async () => {
    for (const [collection, body] of collections()) {
      const before = await idsOf(collection);
      const id = await create(collection, { ...body, name: "first" });
      await api.advance("10s");
      await api.call("PATCH", `${collection}/${id}`, { body: { name: "second" } });
      await api.advance("4999ms");
      expect(await idsOf(collection)).toEqual(before);
      await api.advance("1ms");
      expect(await itemsOf(collection)).toContainEqual(expect.objectContaining({ id, name: "first" }));
      await api.advance("10s");
      expect(await itemsOf(collection)).toContainEqual(expect.objectContaining({ id, name: "second" }));
      await api.call("DELETE", `${collection}/${id}`);
      await api.advance("14s");
      expect(await idsOf(collection)).toEqual([...before, id]);
      await api.advance("1s");
      expect(await idsOf(collection)).toEqual(before);
    }
  });

  it("a cursor leads to the next page despite the lag", async () => {
    const ids = [];
    for (let nth = 0; nth < 3; nth += 1) ids.push(await create("/v1/api_keys", keyRequest(api.projectId)));
    await api.advance("15s");
    await create("/v1/api_keys", keyRequest(api.projectId));
    const first = (await api.call("GET", "/v1/api_keys?limit=2")).body;
    const cursor = (first["pagination"] as Json)["next_cursor"];
    const second = (await api.call("GET", `/v1/api_keys?limit=2&cursor=${String(cursor)}`)).body;
    const shown = [...(first["items"] as Json[]), ...(second["items"] as Json[])].map(({ id }) => id);
    expect(shown.slice(1)).toEqual(ids);
    expect(second["pagination"]).toMatchObject({ next_cursor: null, total_count: 4 });
  });
});

describe("with a lag of audit logs", () => {
  it("shows a single audit log at once", async () => {
    await create("/v1/api_keys", keyRequest(api.projectId));
    const [log] = (await api.state())["auditLogs"] ?? [];
    expect((await api.call("GET", `/v1/audit_logs/${String(log?.["id"])}`)).status).toBe(200);
  });

  it("the list shows each audit log after the lag", async () => {
    await api.fault({ method: "POST", path: "/api_keys$", drop: "after" });
    const body = keyRequest(api.projectId);
    await expect(create("/v1/api_keys", body)).rejects.toThrow();
    const [key] = (await api.state())["apiKeys"]?.filter(({ managed }) => managed !== true) ?? [];
    await api.advance("4999ms");
    expect(await itemsOf("/v1/audit_logs")).toEqual([]);
    await api.advance("1ms");
    expect(await itemsOf("/v1/audit_logs")).toMatchObject([
      { user_agent: "tester/1", path: "/v1/api_keys", status_code: 201, target: { id: key?.["id"], type: "api_key" } },
    ]);
  });
});

describe("the control port", () => {
  it("sets the lag by POST /lag, without lag for omitted kinds", async () => {
    expect((await api.control("GET", "/lag")).body).toEqual({ reads: 3000, lists: 15_000, audit: 5000 });
    const id = await create("/v1/api_keys", keyRequest(api.projectId));
    expect((await api.control("POST", "/lag", { lists: "1h" })).body).toEqual({ reads: 0, lists: 3_600_000, audit: 0 });
    expect((await api.call("GET", `/v1/api_keys/${id}`)).status).toBe(200);
    expect(await itemsOf("/v1/audit_logs")).toHaveLength(1);
    await api.call("DELETE", `/v1/api_keys/${id}`);
    expect(await idsOf("/v1/api_keys")).toContain(id);
    await api.control("POST", "/lag", {});
    expect(await idsOf("/v1/api_keys")).not.toContain(id);
  });

  it("a reset restores the lag of the start", async () => {
    await api.control("POST", "/lag", {});
    api.reset();
    expect((await api.control("GET", "/lag")).body).toMatchObject({ reads: 3000 });
  });

  it.each([{ reads: "soon" }, { list: "1s" }, { audit: -1 }])("rejects the lag %j", async (body) => {
    expect((await api.control("POST", "/lag", body)).status).toBe(400);
  });
});
