import { badParameters, expectRejected, harnessForSuite, paths, requests } from "./support/harness";
import type { Harness, Json } from "./support/harness";

const nirvana = harnessForSuite({ dialect: "nirvana", operationTime: "0" });
const spec = harnessForSuite({ operationTime: "0" });

it("the nirvana dialect calls the external provider aws", async () => {
  const aws = { account_id: "523816707215", region: "us-east-1" };
  const body = { ...requests.connection, aws };
  const { status, at } = await nirvana.create(paths.connections, body);
  expect(status).toBe(202);
  const shown = await nirvana.get(at);
  expect(shown["aws"]).toEqual({ region: "us-east-1" });
  expect(shown).not.toHaveProperty("external_provider");
  expect((await nirvana.state())["connections"]).toMatchObject([shown]);
  const short = { ...body, aws: { ...aws, account_id: "1" } };
  await expectRejected(nirvana, "POST", [paths.connections], short, "aws.account_id");
  const other = { ...requests.connection, external_provider: aws };
  await expectRejected(nirvana, "POST", [paths.connections], other, "external_provider");
});

it("quotas count connect connections, and refuse beyond the limit", async () => {
  const used = async (): Promise<unknown> =>
    ((await nirvana.get(`/v1/quotas/${nirvana.region}`))["networking"] as Json)["connect_connections"];
  expect(await used()).toEqual({ limit: 20, remaining: 20, used: 0 });
  let last = "";
  for (let count = 1; count <= 20; count += 1) last = (await nirvana.create(paths.connections, requests.connection)).at;
  const refused = await nirvana.create(paths.connections, requests.connection);
  expect([refused.status, badParameters(refused)]).toEqual([409, ["quota.networking.connect_connections"]]);
  await nirvana.call("DELETE", last);
  expect(await used()).toEqual({ limit: 20, remaining: 1, used: 19 });
});

it("connections and VPCs have cost endpoints, keys and rules none", async () => {
  const key = await nirvana.create(paths.apiKeys, requests.key);
  const rule = await nirvana.create(paths.rules, requests.rule);
  for (const [method, path, body, status] of [
    // A path that could also be an object with the id "cost" exists, for other methods.
    ["POST", `${paths.apiKeys}/cost`, requests.key, 405],
    ["PATCH", `${key.at}/cost`, {}, 404],
    ["POST", `${paths.rules}/cost`, requests.rule, 405],
    ["PATCH", `${rule.at}/cost`, {}, 404],
    ["POST", `${paths.connections}/cost`, requests.connection, 200],
    ["POST", `${paths.vpcs}/cost`, requests.vpc, 200],
  ] as const) {
    expect([method, path, (await nirvana.call(method, path, { body })).status]).toEqual([method, path, status]);
  }
});

/* Null in an update, as the public Terraform provider sends it. */

const change = { tags: null };
const cases = [
  ["/v1/projects", { name: "p" }, change],
  [paths.apiKeys, requests.key, { tags: null, source_ip_rule: null }],
  [paths.vpcs, requests.vpc, change],
  [paths.rules, requests.rule, change],
  [paths.connections, requests.connection, change],
] as const;

const create = async (api: Harness, collection: string, body: Json): Promise<string> =>
  (await api.create(collection, { ...body, tags: ["a"] })).at;

it.each(cases)("null clears tags and source_ip_rule only: %s", async (collection, body, nulls) => {
  const item = await create(nirvana, collection, body);
  expect((await nirvana.call("PATCH", item, { body: { name: "kept" } })).status).toBeLessThan(300);
  expect((await nirvana.get(item))["tags"]).toEqual(["a"]);
  expect((await nirvana.call("PATCH", item, { body: nulls })).status).toBeLessThan(300);
  const rule = "source_ip_rule" in nulls ? { source_ip_rule: { allowed: [], blocked: [] } } : {};
  expect(await nirvana.get(item)).toMatchObject({ name: "kept", tags: [], ...rule });
  await expectRejected(nirvana, "PATCH", [item], { name: null }, "name");
});

it.each(cases)("the specification's dialect rejects null: %s", async (collection, body, nulls) => {
  const item = await create(spec, collection, body);
  await expectRejected(spec, "PATCH", [item], nulls, Object.keys(nulls).join(" "));
});

it("the specification's dialect does not limit connections", async () => {
  for (let count = 1; count <= 21; count += 1)
    expect((await spec.create(paths.connections, requests.connection)).status).toBe(202);
  expect((await spec.get(`/v1/quotas/${spec.region}`))["networking"]).not.toHaveProperty("connect_connections");
});

it.each([
  ["spec", spec, "platform_region"],
  ["nirvana", nirvana, "nirvana_region"],
])("names a route's region in the dialect %s", async (_dialect, api, member) => {
  const { items } = await api.get("/v1/networking/connect/routes");
  const route = { [member]: "us-sva-2", provider: "aws", provider_region: "us-west-1" };
  expect((items as Json[])[0]).toEqual(route);
});
