import { createKey, ownKeys } from "./support/api-keys";
import { type Json, expectRejected, harnessForSuite, tags } from "./support/harness";

const api = harnessForSuite();

const create = (more: Json = {}) => createKey(api, more);
const keys = (): Promise<Json[]> => ownKeys(api);

describe("updating an API key (section 2.3)", () => {
  let path: string;
  beforeEach(async () => {
    const { body } = await create({ tags: ["a"], source_ip_rule: { allowed: ["127.0.0.0/8"] } });
    path = `/v1/api_keys/${String(body["id"])}`;
    await api.advance("1m");
  });

  it.each<[string, Json, Json]>([
    ["a name", { name: "other" }, { name: "other", tags: ["a"] }],
    [
      "permissions, as a whole set",
      { permissions: [{ resource_type: "vpc", permission: "read" }] },
      { permissions: [{ resource_type: "vpc", permission: "read" }] },
    ],
    ["tags", { tags: [] }, { tags: [] }],
    [
      "an IP rule, as a whole",
      { source_ip_rule: { blocked: ["10.0.0.1/32"] } },
      { source_ip_rule: { allowed: [], blocked: ["10.0.0.1/32"] } },
    ],
    ["an empty IP rule", { source_ip_rule: {} }, { source_ip_rule: { allowed: [], blocked: [] } }],
  ])("an update with %s answers with the changed key", async (_name, body, expected) => {
    const reply = await api.call("PATCH", path, { body });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ ...expected, updated_at: "2026-03-01T12:01:00Z" });
    expect(reply.body).not.toHaveProperty("key");
    expect(await keys()).toEqual([reply.body]);
  });

  it("an update replaces the complete set of projects", async () => {
    const second = await api.newProject();
    const reply = await api.call("PATCH", path, { body: { project_ids: [second] } });
    expect(reply.body["project_ids"]).toEqual([second]);
    expect((await keys())[0]?.["project_ids"]).toEqual([second]);
  });

  it("an empty update changes nothing", async () => {
    const before = await keys();
    expect((await api.call("PATCH", path, { body: {} })).status).toBe(200);
    expect(await keys()).toEqual(before);
  });

  it.each<[string, Json, string]>([
    ["a start", { starts_at: "2026-04-01T00:00:00Z" }, "starts_at"],
    ["an expiry", { expires_at: "2026-04-01T00:00:00Z" }, "expires_at"],
    ["an empty name", { name: "" }, "name"],
    ["256 characters", { name: "x".repeat(256) }, "name"],
    ["no permissions left", { permissions: [] }, "permissions"],
    ["no projects left", { project_ids: [] }, "project_ids"],
    ["an unknown project", { project_ids: ["nowhere"] }, "project_ids[0]"],
    ["51 tags", { tags: tags(51) }, "tags"],
    ["null", { name: null }, "name"],
  ])("an update with %s answers 400 and changes nothing", async (_name, body, bad) => {
    const before = await keys();
    await expectRejected(api, "PATCH", [path, `${path}/cost`], body, bad);
    expect(await keys()).toEqual(before);
  });

  it("the next request has the new permissions", async () => {
    const { body } = await create({ permissions: [{ resource_type: "project", permission: "read" }] });
    const key = String(body["key"]);
    expect((await api.call("GET", "/v1/projects", { key })).status).toBe(200);
    const permissions = [{ resource_type: "vpc", permission: "read" }];
    await api.call("PATCH", `/v1/api_keys/${String(body["id"])}`, { body: { permissions } });
    expect((await api.call("GET", "/v1/projects", { key })).status).toBe(403);
  });
});

describe("keys that do not exist, or that the system manages", () => {
  it("a managed key is neither updated nor deleted", async () => {
    const [managed] = (await api.state())["apiKeys"] ?? [];
    expect(managed).toMatchObject({ managed: true });
    const path = `/v1/api_keys/${String(managed?.["id"])}`;
    expect((await api.call("GET", path)).body).toEqual(managed);
    for (const [method, body] of [["PATCH", { name: "mine" }], ["DELETE"]] as const) {
      const reply = await api.call(method, path, body ? { body } : {});
      expect([reply.status, reply.body["type"]]).toEqual([409, "CONFLICT_ERROR"]);
      expect(reply.headers["x-should-retry"]).toBe("false");
    }
    expect((await api.state())["apiKeys"]).toEqual([managed]);
  });
});
