import { quotaSchema } from "../../src/definition/response-schemas";
import { all, bench, rejection, type TestApi } from "./support/api-fixture";
import * as samples from "./support/samples";

const { ids } = samples;
const rule = samples.sampleRuleCreate();
const key = samples.sampleApiKeyCreate();

const routes = "/v1/networking/connect/routes";
/** The requests that belong to no kind. test/kinds has those of every kind. */
const catalog: [string, unknown, (api: TestApi) => Promise<unknown>][] = [
  ["/v1/regions?limit=100", samples.listOf([samples.sampleRegion()]), (api) => all(api.regions.list())],
  ["/v1/quotas/us-sva-2", samples.sampleQuota(), (api) => api.show(quotaSchema, ["v1", "quotas", "us-sva-2"], {})],
  [`${routes}?limit=100`, samples.listOf([samples.sampleRoute()]), (api) => all(api.connectRoutes.list())],
  ["/v1/audit_logs?limit=100", samples.listOf([samples.sampleAuditLog()]), (api) => all(api.auditLogs.list())],
];

it.each(catalog)("requests %s, and reads the answer", async (url, body, ask) => {
  const { api, server } = await bench(() => ({ status: 200, body }));
  await ask(api);
  expect(server.arrived.map((request) => [request.method, request.url])).toEqual([["GET", url]]);
});

it.each([
  ["spec", ""],
  ["nirvana", "&sort=created_at%3Adesc"],
] as const)("asks for one page of the newest operations under %s", async (dialect, sorted) => {
  const pending = ["a", "b"].map((id) => ({ ...samples.sampleOperation(), id, status: "pending" }));
  const ended = pending.map((operation) => ({ ...operation, status: "done" }));
  const { api, server } = await bench(() => ({ status: 200, body: samples.listOf(ended) }), { dialect });
  await Promise.all(pending.map((operation) => api.operations.wait(operation)));
  const { project_id } = samples.sampleOperation();
  expect(server.arrived.map(({ url }) => url)).toEqual([`/v1/operations?limit=100&project_id=${project_id}${sorted}`]);
});

describe("a mutation", () => {
  const done = { ...samples.sampleOperation(), status: "done" };

  it.each([
    ["create", (api: TestApi) => api.firewallRules("v").create(rule)],
    ["update", (api: TestApi) => api.firewallRules("v").update("r", { name: "n" })],
  ])("tells a resource from an operation in answers to %s", async (_verb, mutate) => {
    const bodies = [samples.sampleRule(), done];
    const { api } = await bench((_request, count) => ({ status: 200, body: bodies[count - 1] }));
    expect(await mutate(api)).toEqual({ kind: "resource", resource: samples.sampleRule() });
    expect(await mutate(api)).toMatchObject({ kind: "operation", operation: done });
  });

  it("shows the secret of a new key", async () => {
    const { api } = await bench(() => ({ status: 201, body: { ...samples.sampleApiKey(), key: "the-secret" } }));
    expect(await api.apiKeys.create(key)).toMatchObject({ kind: "resource", resource: { key: "the-secret" } });
  });

  it.each([
    ["an operation", 202, done, { kind: "operation", operation: done }],
    ["nothing (204)", 204, undefined, { kind: "done" }],
    ["nothing (200)", 200, undefined, { kind: "done" }],
    ["the deleted resource", 200, samples.sampleRule(), { kind: "done" }],
    ["an empty object", 200, {}, { kind: "done" }],
  ])("understands %s as the answer to a deletion", async (_style, status, body, expected) => {
    const { api } = await bench(() => ({ status, body }));
    expect(await api.firewallRules("v").delete("r")).toMatchObject(expected);
  });

  it("accepts an empty answer to an update", async () => {
    const { api } = await bench(() => ({ status: 204 }));
    expect(await api.apiKeys.update(ids.key, { name: "n" })).toEqual({ kind: "done" });
  });

  it("names a missing member of an operation", async () => {
    const body = samples.without(samples.sampleOperation(), "project_id");
    const { api } = await bench(() => ({ status: 200, body }));
    const error = await rejection(api.firewallRules("v").create(rule));
    expect(error).toMatchObject({ code: "INVALID_RESPONSE", defect: "schema", effect: "unknown" });
    expect(error.message).toContain("- project_id is missing, expected: string");
  });
});

describe("an answer's form", () => {
  it("passes unknown members through", async () => {
    const sample = samples.sampleApiKey();
    const body = { ...sample, color: "red", source_ip_rule: { ...sample.source_ip_rule, asn: [1] } };
    const { api } = await bench(() => ({ status: 200, body }));
    expect(await api.apiKeys.get(ids.key)).toEqual(body);
  });

  it("refuses an answer about another object", async () => {
    const { api } = await bench(() => ({ status: 200, body: { ...samples.sampleRule(), id: "other" } }));
    expect((await rejection(api.firewallRules("v").get("r"))).message).toContain("is about another object, other");
  });

  it("passes unknown enumeration values through", async () => {
    const body = { ...samples.sampleRule(), id: "r", status: "hibernating", protocol: "sctp" };
    const { api } = await bench(() => ({ status: 200, body }));
    expect(await api.firewallRules("v").get("r")).toMatchObject({ status: "hibernating", protocol: "sctp" });
  });

  it.each(
    [
      ["connection", samples.sampleConnection(), (api: TestApi) => api.connectConnections().get("c")] as const,
      ["key", samples.sampleApiKey(), (api: TestApi) => api.apiKeys.get("k")] as const,
      ["rule", samples.sampleRule(), (api: TestApi) => api.firewallRules("v").get("r")] as const,
    ].flatMap(([kind, sample, read]) =>
      Object.keys(sample)
        .filter((name) => name !== "starts_at")
        .map((member) => [kind, member, samples.without(sample, member), read] as const),
    ),
  )("names the missing member of a %s: %s", async (_kind, member, body, read) => {
    const { api } = await bench(() => ({ status: 200, body }));
    expect((await rejection(read(api))).message).toContain(`- ${member} is missing`);
  });

  it.each([
    ["2027-01-30T00:00:00.123456", "2027-01-30T00:00:00.123456Z"],
    ["2027-01-30T00:00:00", "2027-01-30T00:00:00Z"],
    ["2027-01-30T00:00:00Z", "2027-01-30T00:00:00Z"],
    ["2027-01-30T00:00:00+02:00", "2027-01-30T00:00:00+02:00"],
    ["2027-01-30", "2027-01-30"],
  ])("reads %s as UTC", async (expires_at, read) => {
    const { api } = await bench(() => ({ status: 200, body: { ...samples.sampleApiKey(), expires_at } }));
    expect(await api.apiKeys.get(samples.sampleApiKey().id)).toMatchObject({ expires_at: read });
  });

  it("names path and types of mistyped members, not values", async () => {
    const mistyped = { name: ["canary-value"], permissions: [{ resource_type: 7, permission: null }] };
    const body = { ...samples.sampleApiKey(), ...mistyped, expires_at: "canary-date", managed: "canary" };
    const { api } = await bench(() => ({ status: 200, body }));
    const { message } = await rejection(api.apiKeys.get("k"));
    expect(message).toContain("- name is array, expected: string");
    expect(message).toContain("- permissions[0].resource_type is number, expected: string");
    expect(message).toContain("- permissions[0].permission is null, expected: string");
    expect(message).toContain("- expires_at is string, expected: a date-time");
    expect(message).toContain("- managed is string, expected: boolean");
    expect(message).not.toContain("canary");
  });

  const quoteOf = async (monthly_total: unknown) => {
    const { api } = await bench(() => ({ status: 200, body: { ...samples.sampleQuote(), monthly_total } }));
    return api.apiKeys.quoteCreate(key);
  };

  it.each(["12", "-0.10", "0", "123456789012345678901234567890.123456789"])("keeps the decimal %s", async (amount) => {
    expect((await quoteOf(amount)).monthly_total).toBe(amount);
  });

  it.each(["1e5", ".5", "1.", "+1", "NaN", "", "1,000", " 1", 12])("refuses the decimal %j", async (amount) => {
    expect((await rejection(quoteOf(amount))).message).toContain("- monthly_total is");
  });

  it("reads billing summaries of a quote", async () => {
    const summary = samples.sampleSummary();
    const body = { ...samples.sampleQuote(), current_summary: summary, updated_summary: summary };
    const { api } = await bench(() => ({ status: 200, body }));
    expect((await api.apiKeys.quoteCreate(key)).updated_summary).toEqual(samples.sampleSummary());
  });

  it("reads the prices of a quote whose billing summary is unreadable", async () => {
    const body = { ...samples.sampleQuote(), current_summary: { monthly_cost: 12 }, updated_summary: "30.00" };
    const { api } = await bench(() => ({ status: 200, body }));
    expect(await api.apiKeys.quoteCreate(key)).toMatchObject({ monthly_total: "31.25", current_summary: undefined });
  });

  it.each([
    ["lists regions of which only the name is known", [{ name: "eu-1" }], (api: TestApi) => all(api.regions.list())],
    ["signs in whatever a region contains", [{ id: 7 }], (api: TestApi) => api.signIn()],
    ["tells the API's time whatever a region contains", [{ id: 7 }], (api: TestApi) => api.fetchTime()],
  ])("%s", async (_title, regions, ask) => {
    const { api, server } = await bench(() => ({ status: 200, body: samples.listOf(regions) }));
    await ask(api);
    expect(server.arrived.map(({ url }) => url)).toEqual(["/v1/regions?limit=100"]);
  });

  it("refuses another kind of JSON", async () => {
    const { api } = await bench(() => ({ status: 200, body: "null" }));
    expect((await rejection(api.apiKeys.get("k"))).message).toContain("- the body is null, expected: object");
  });
});
