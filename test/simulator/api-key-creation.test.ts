import { createKey, ownKeys } from "./support/api-keys";
import { type Json, badParameters, expectRejected, harnessForSuite, keyRequest, tags } from "./support/harness";

const api = harnessForSuite();

const create = (more: Json = {}) => createKey(api, more);
const keys = (): Promise<Json[]> => ownKeys(api);

describe("creating an API key (sections 2.2, 2.3)", () => {
  it("answers 201 with the secret, which no later answer has", async () => {
    const reply = await create();
    expect(reply.status).toBe(201);
    expect(reply.body).toEqual({
      id: expect.any(String) as string,
      name: "deployer",
      created_at: "2026-03-01T12:00:00Z",
      updated_at: "2026-03-01T12:00:00Z",
      expires_at: "2026-06-01T00:00:00Z",
      status: "active",
      managed: false,
      permissions: [{ resource_type: "vm", permission: "edit" }],
      project_ids: [api.projectId],
      source_ip_rule: { allowed: [], blocked: [] },
      tags: [],
      key: expect.stringMatching(/^[\w-]{43}$/) as string,
    });
    const rest: Json = { ...reply.body };
    delete rest["key"];
    const shown = await api.call("GET", `/v1/api_keys/${String(rest["id"])}`);
    expect(shown.body).toEqual(rest);
    expect(await keys()).toEqual([rest]);
  });

  it("a new key has every given member", async () => {
    const more = {
      starts_at: "2026-03-02T00:00:00Z",
      permissions: [
        { resource_type: "vm", permission: "edit" },
        { resource_type: "usage", permission: "read" },
      ],
      source_ip_rule: { allowed: ["192.168.1.0/24", "10.0.0.0/8"], blocked: ["192.168.1.100/32"] },
      tags: ["production", "ci"],
    };
    const reply = await create(more);
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ ...more, status: "inactive" });
    expect(await keys()).toMatchObject([{ ...more, status: "inactive" }]);
  });

  it.each<[string, Json, string]>([
    ["no name", { name: undefined }, "name"],
    ["an empty name", { name: "" }, "name"],
    ["256 characters", { name: "x".repeat(256) }, "name"],
    ["a name of another type", { name: 5 }, "name"],
    ["no expiry", { expires_at: undefined }, "expires_at"],
    ["an expiry that is no date", { expires_at: "tomorrow" }, "expires_at"],
    ["an expiry without a zone", { expires_at: "2026-06-01T00:00:00" }, "expires_at"],
    ["a day that is none", { expires_at: "2026-02-30T00:00:00Z" }, "expires_at"],
    ["an expiry now", { expires_at: "2026-03-01T12:00:00Z" }, "expires_at"],
    ["an expiry in the past", { expires_at: "2026-03-01T11:59:59Z" }, "expires_at"],
    ["an expiry a second beyond a year", { expires_at: "2027-03-01T12:00:01Z" }, "expires_at"],
    [
      "an expiry a second beyond a year from its start",
      { starts_at: "2026-03-05T00:00:00Z", expires_at: "2027-03-05T00:00:01Z" },
      "expires_at",
    ],
    ["a start yesterday", { starts_at: "2026-02-28T23:59:59Z" }, "starts_at"],
    ["a start at its end", { starts_at: "2026-06-01T00:00:00Z" }, "starts_at"],
    ["a start after its end", { starts_at: "2026-07-01T00:00:00Z" }, "starts_at"],
    ["no projects", { project_ids: undefined }, "project_ids"],
    ["an empty list of projects", { project_ids: [] }, "project_ids"],
    ["an unknown project", { project_ids: ["nowhere"] }, "project_ids[0]"],
    ["no permissions", { permissions: undefined }, "permissions"],
    ["an empty list of permissions", { permissions: [] }, "permissions"],
    [
      "an unknown resource type",
      { permissions: [{ resource_type: "vms", permission: "read" }] },
      "permissions[0].resource_type",
    ],
    [
      "an unknown level",
      {
        permissions: [
          { resource_type: "vm", permission: "read" },
          { resource_type: "vm", permission: "write" },
        ],
      },
      "permissions[1].permission",
    ],
    ["half a permission", { permissions: [{ resource_type: "vm" }] }, "permissions[0].permission"],
    ["51 tags", { tags: tags(51) }, "tags"],
    ["a tag of another type", { tags: ["a", 5] }, "tags[1]"],
    ["tags that are null", { tags: null }, "tags"],
    ["an address that is none", { source_ip_rule: { allowed: ["10.0.0.0/8", "home"] } }, "source_ip_rule.allowed[1]"],
    ["a mask that is none", { source_ip_rule: { blocked: ["10.0.0.0/33"] } }, "source_ip_rule.blocked[0]"],
    ["an unknown member", { rotate: true }, "rotate"],
    [
      "everything wrong at once",
      {
        name: "",
        expires_at: "2026-01-01T00:00:00Z",
        starts_at: "x",
        project_ids: ["nowhere"],
        permissions: [{ resource_type: "x", permission: "y" }],
        tags: tags(51),
        source_ip_rule: { allow: [] },
        extra: 1,
      },
      "name expires_at starts_at project_ids[0] permissions[0].resource_type permissions[0].permission tags source_ip_rule.allow extra",
    ],
  ])("refuses an API key with %s", async (_name, more, bad) => {
    const body = { ...keyRequest(api.projectId), ...more };
    await expectRejected(api, "POST", ["/v1/api_keys", "/v1/api_keys/cost"], body, bad);
    expect(await keys()).toEqual([]);
  });

  it.each<[string, Json]>([
    ["a name of 1 character", { name: "x" }],
    ["a name of 255 characters", { name: "x".repeat(255) }],
    ["a name of 255 characters outside of the basic plane", { name: "🗝".repeat(255) }],
    ["50 tags", { tags: tags(50) }],
    ["no tags", { tags: [] }],
    ["an expiry a second from now", { expires_at: "2026-03-01T12:00:01Z" }],
    ["an expiry in a year to the second", { expires_at: "2027-03-01T12:00:00Z" }],
    ["a year from its start", { starts_at: "2026-03-05T00:00:00Z", expires_at: "2027-03-05T00:00:00Z" }],
    ["a start today, already past", { starts_at: "2026-03-01T00:00:00Z" }],
    ["a start a second before its end", { starts_at: "2026-05-31T23:59:59Z" }],
    ["another zone", { expires_at: "2026-06-01T02:00:00+02:00" }],
    ["an empty IP rule", { source_ip_rule: {} }],
    ["one list of the IP rule", { source_ip_rule: { blocked: ["192.168.1.100/32"] } }],
  ])("creates a key with %s", async (_name, more) => {
    expect((await create(more)).status).toBe(201);
    expect(await keys()).toHaveLength(1);
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
    const reply = await api.call("POST", "/v1/api_keys", { body, headers: { "content-type": type } });
    expect(reply.status).toBe(status);
    expect(reply.body).toMatchObject({ type: errorType, request_id: reply.headers["x-request-id"] });
    expect(await keys()).toEqual([]);
  });
});

it("a date beyond the year 9999 is rejected", async () => {
  const starts_at = "9999-06-01T00:00:00Z";
  const reply = await createKey(api, { starts_at, expires_at: "9999-12-31T23:59:59-23:00" });
  expect([reply.status, badParameters(reply)]).toEqual([400, ["expires_at"]]);
  expect(await ownKeys(api)).toEqual([]);
  expect((await createKey(api, { starts_at, expires_at: "9999-12-31T23:59:59Z" })).status).toBe(201);
});
