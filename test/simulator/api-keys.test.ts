import {
  badParameters,
  expectConflict,
  expectRejected,
  harnessForSuite,
  type Json,
  paths,
  permissionOf,
  requests,
  startTimes,
  tags,
} from "./support/harness";

const api = harnessForSuite();

const create = (more: Json = {}) => api.create(paths.apiKeys, { ...requests.key, ...more });
const lasting = (starts_at: string, expires_at: string): Json => ({ starts_at, expires_at });
const wrong = {
  ...{ name: "", ...lasting("x", "2026-01-01T00:00:00Z"), project_ids: ["nowhere"], tags: tags(51), extra: 1 },
  ...{ permissions: [{ resource_type: "x", permission: "y" }], source_ip_rule: { allow: [] } },
};
const allWrong =
  "name expires_at starts_at project_ids[0] permissions[0].resource_type permissions[0].permission tags source_ip_rule.allow extra";

describe("creating an API key (sections 2.2, 2.3)", () => {
  it("answers 201 with the secret, which no later answer has", async () => {
    const reply = await create();
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      ...{ id: expect.any(String) as string, name: "deployer", status: "active", managed: false },
      ...{ ...startTimes, expires_at: "2026-06-01T00:00:00Z", project_ids: [api.projectId], tags: [] },
      permissions: [{ resource_type: "vm", permission: "edit" }],
      source_ip_rule: { allowed: [], blocked: [] },
      key: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const rest = { ...reply.body, key: undefined };
    expect(await api.get(reply.at)).toEqual(rest);
    expect(await api.ownKeys()).toEqual([rest]);
  });

  it("a new key has every given member", async () => {
    const more = {
      starts_at: "2026-03-02T00:00:00Z",
      permissions: [permissionOf("vm:edit"), permissionOf("usage:read")],
      source_ip_rule: { allowed: ["192.168.1.0/24", "10.0.0.0/8"], blocked: ["192.168.1.100/32"] },
      tags: ["production", "ci"],
    };
    const reply = await create(more);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ ...more, status: "inactive" });
    expect(await api.ownKeys()).toMatchObject([{ ...more, status: "inactive" }]);
  });

  it.each<[string, Json, string]>([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["256 characters", { name: "x".repeat(256) }, "name"],
    ["a name of another type", { name: 5 }, "name"],
    ["no expiry", { expires_at: undefined }, "expires_at"],
    ["an expiry that is no date", { expires_at: "tomorrow" }, "expires_at"],
    ["an expiry without a zone", { expires_at: "2026-06-01T00:00:00" }, "expires_at"],
    ["a day that does not exist", { expires_at: "2026-02-30T00:00:00Z" }, "expires_at"],
    ["an expiry now", { expires_at: "2026-03-01T12:00:00Z" }, "expires_at"],
    ["an expiry in the past", { expires_at: "2026-03-01T11:59:59Z" }, "expires_at"],
    ["an expiry a second beyond a year", { expires_at: "2027-03-01T12:00:01Z" }, "expires_at"],
    ["an expiry over a year after its start", lasting("2026-03-05T00:00:00Z", "2027-03-05T00:00:01Z"), "expires_at"],
    ["an expiry beyond the year 9999", lasting("9999-06-01T00:00:00Z", "9999-12-31T23:59:59-23:00"), "expires_at"],
    ["a start yesterday", { starts_at: "2026-02-28T23:59:59Z" }, "starts_at"],
    ["a start at its end", { starts_at: "2026-06-01T00:00:00Z" }, "starts_at"],
    ["a start after its end", { starts_at: "2026-07-01T00:00:00Z" }, "starts_at"],
    ["no projects", { project_ids: undefined }, "project_ids"],
    ["an empty list of projects", { project_ids: [] }, "project_ids"],
    ["an unknown project", { project_ids: ["nowhere"] }, "project_ids[0]"],
    ["no permissions", { permissions: undefined }, "permissions"],
    ["an empty list of permissions", { permissions: [] }, "permissions"],
    ["an unknown resource type", { permissions: [permissionOf("vms:read")] }, "permissions[0].resource_type"],
    ["an unknown level", { permissions: ["vm:read", "vm:write"].map(permissionOf) }, "permissions[1].permission"],
    ["half a permission", { permissions: [{ resource_type: "vm" }] }, "permissions[0].permission"],
    ["51 tags", { tags: tags(51) }, "tags"],
    ["a tag of another type", { tags: ["a", 5] }, "tags[1]"],
    ["tags that are null", { tags: null }, "tags"],
    ["an address that is none", { source_ip_rule: { allowed: ["10.0.0.0/8", "home"] } }, "source_ip_rule.allowed[1]"],
    ["a mask that is none", { source_ip_rule: { blocked: ["10.0.0.0/33"] } }, "source_ip_rule.blocked[0]"],
    ["an unknown member", { rotate: true }, "rotate"],
    ["everything wrong at once", wrong, allWrong],
  ])("refuses an API key with %s", async (_name, more, bad) => {
    await expectRejected(api, "POST", [paths.apiKeys, `${paths.apiKeys}/cost`], { ...requests.key, ...more }, bad);
    expect(await api.ownKeys()).toEqual([]);
  });

  it.each<[string, Json]>([
    ["a name of 1 character", { name: "x" }],
    ["a name of 255 characters", { name: "x".repeat(255) }],
    ["a name of 255 characters outside of the basic plane", { name: "🗝".repeat(255) }],
    ["50 tags", { tags: tags(50) }],
    ["no tags", { tags: [] }],
    ["an expiry a second from now", { expires_at: "2026-03-01T12:00:01Z" }],
    ["an expiry in a year to the second", { expires_at: "2027-03-01T12:00:00Z" }],
    ["a year from its start", lasting("2026-03-05T00:00:00Z", "2027-03-05T00:00:00Z")],
    ["the end of the year 9999", lasting("9999-06-01T00:00:00Z", "9999-12-31T23:59:59Z")],
    ["a start today, already past", { starts_at: "2026-03-01T00:00:00Z" }],
    ["a start a second before its end", { starts_at: "2026-05-31T23:59:59Z" }],
    ["another zone", { expires_at: "2026-06-01T02:00:00+02:00" }],
    ["an empty IP rule", { source_ip_rule: {} }],
    ["one list of the IP rule", { source_ip_rule: { blocked: ["192.168.1.100/32"] } }],
  ])("creates a key with %s", async (_name, more) => {
    expect((await create(more)).status).toBe(201);
    expect(await api.ownKeys()).toHaveLength(1);
  });

  it("a year from 29 February ends on 28 February", async () => {
    const toLeapDay = Date.parse("2028-02-29T00:00:00Z") - Date.parse("2026-03-01T12:00:00Z");
    await api.advance(`${toLeapDay}ms`);
    expect((await create({ expires_at: "2029-02-28T00:00:00Z" })).status).toBe(201);
    expect(badParameters(await create({ expires_at: "2029-02-28T00:00:01Z" }))).toEqual(["expires_at"]);
  });

  it.each([
    ["malformed JSON", '{"name":', "application/json", 400, "VALIDATION_ERROR"],
    ["no JSON object", "[]", "application/json", 400, "VALIDATION_ERROR"],
    ["no body", "", "application/json", 400, "VALIDATION_ERROR"],
    ["another prototype", '{"__proto__": {"name": "x"}}', "application/json", 400, "VALIDATION_ERROR"],
    ["another type", "name=x", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE_ERROR"],
    ["a body too large", JSON.stringify("x".repeat(300_000)), "application/json", 413, "PAYLOAD_TOO_LARGE_ERROR"],
  ])("a creation with %s answers in the error envelope", async (_name, body, type, status, errorType) => {
    const reply = await api.call("POST", paths.apiKeys, { body, headers: { "content-type": type } });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ type: errorType, request_id: reply.headers["x-request-id"] });
    expect(await api.ownKeys()).toEqual([]);
  });
});

describe("updating an API key (section 2.3)", () => {
  let path: string;
  beforeEach(async () => {
    path = (await create({ tags: ["a"], source_ip_rule: { allowed: ["127.0.0.0/8"] } })).at;
    await api.advance("1m");
  });

  const reading = [permissionOf("vpc:read")];
  const blocked = ["10.0.0.1/32"];

  it.each<[string, Json, Json]>([
    ["a name", { name: "other" }, { name: "other", tags: ["a"] }],
    ["permissions, as a whole set", { permissions: reading }, { permissions: reading }],
    ["tags", { tags: [] }, { tags: [] }],
    ["an IP rule, as a whole", { source_ip_rule: { blocked } }, { source_ip_rule: { allowed: [], blocked } }],
    ["an empty IP rule", { source_ip_rule: {} }, { source_ip_rule: { allowed: [], blocked: [] } }],
  ])("an update with %s answers with the changed key", async (_name, body, expected) => {
    const reply = await api.call("PATCH", path, { body });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ ...expected, updated_at: "2026-03-01T12:01:00Z" });
    expect(reply.body).not.toHaveProperty("key");
    expect(await api.ownKeys()).toEqual([reply.body]);
  });

  it("an update replaces the complete set of projects", async () => {
    const second = await api.newProject();
    const reply = await api.call("PATCH", path, { body: { project_ids: [second] } });
    expect(reply.body["project_ids"]).toEqual([second]);
    expect((await api.ownKeys())[0]?.["project_ids"]).toEqual([second]);
  });

  it("an empty update changes nothing", async () => {
    const before = await api.ownKeys();
    expect((await api.call("PATCH", path, { body: {} })).status).toBe(200);
    expect(await api.ownKeys()).toEqual(before);
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
    const before = await api.ownKeys();
    await expectRejected(api, "PATCH", [path, `${path}/cost`], body, bad);
    expect(await api.ownKeys()).toEqual(before);
  });

  it("the next request has the new permissions", async () => {
    const { at, body } = await create({ permissions: [permissionOf("project:read")] });
    const key = String(body["key"]);
    expect((await api.call("GET", "/v1/projects", { key })).status).toBe(200);
    await api.call("PATCH", at, { body: { permissions: [permissionOf("vpc:read")] } });
    expect((await api.call("GET", "/v1/projects", { key })).status).toBe(403);
  });
});

it("a managed key is neither updated nor deleted", async () => {
  const [managed] = (await api.state())["apiKeys"] ?? [];
  expect(managed).toMatchObject({ managed: true });
  const path = `${paths.apiKeys}/${String(managed?.["id"])}`;
  expect(await api.get(path)).toEqual(managed);
  expectConflict(await api.call("PATCH", path, { body: { name: "mine" } }));
  expectConflict(await api.call("DELETE", path));
  expect((await api.state())["apiKeys"]).toEqual([managed]);
});
