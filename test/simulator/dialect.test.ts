import {
  type Harness,
  type Json,
  badParameters,
  connectionRequest,
  harnessForSuite,
  keyRequest,
  ruleRequest,
  withHarness,
  vpcRequest,
} from "./support/harness";

const connections = "/v1/networking/connect/connections";

describe("the dialect of the public service", () => {
  const api = harnessForSuite({ dialect: "nirvana", operationTime: "0" });

  it("the external provider is called aws", async () => {
    const aws = { account_id: "523816707215", region: "us-east-1" };
    const body = { ...connectionRequest(api.projectId, api.region), aws };
    const created = await api.call("POST", connections, { body });
    expect(created.status).toBe(202);
    const { body: shown } = await api.call("GET", `${connections}/${String(created.body["resource_id"])}`);
    expect(shown["aws"]).toEqual({ region: "us-east-1" });
    expect(shown).not.toHaveProperty("external_provider");
    expect((await api.state())["connections"]).toEqual([shown]);

    const short = await api.call("POST", connections, { body: { ...body, aws: { ...aws, account_id: "1" } } });
    expect(badParameters(short)).toEqual(["aws.account_id"]);
    const other = { ...connectionRequest(api.projectId, api.region), external_provider: aws };
    expect(badParameters(await api.call("POST", connections, { body: other }))).toEqual(["external_provider"]);
  });

  it("quotas count connect connections, and refuse beyond the limit", async () => {
    const used = async (): Promise<unknown> =>
      ((await api.call("GET", `/v1/quotas/${api.region}`)).body["networking"] as Json)["connect_connections"];
    expect(await used()).toEqual({ limit: 20, remaining: 20, used: 0 });
    const body = connectionRequest(api.projectId, api.region);
    let last: Json = {};
    for (let count = 1; count <= 20; count += 1) last = (await api.call("POST", connections, { body })).body;
    const refused = await api.call("POST", connections, { body });
    expect([refused.status, badParameters(refused)]).toEqual([409, ["quota.networking.connect_connections"]]);
    await api.call("DELETE", `${connections}/${String(last["resource_id"])}`);
    expect(await used()).toEqual({ limit: 20, remaining: 1, used: 19 });
  });

  it("connections and VPCs have cost endpoints, keys and rules none", async () => {
    const { body: key } = await api.call("POST", "/v1/api_keys", { body: keyRequest(api.projectId) });
    const rules = `/v1/networking/vpcs/${api.vpcId}/firewall_rules`;
    const { body: rule } = await api.call("POST", rules, { body: ruleRequest });
    for (const [method, path, body, status] of [
      // A path that could also be an object with the id "cost" exists, for other methods.
      ["POST", "/v1/api_keys/cost", keyRequest(api.projectId), 405],
      ["PATCH", `/v1/api_keys/${String(key["id"])}/cost`, {}, 404],
      ["POST", `${rules}/cost`, ruleRequest, 405],
      ["PATCH", `${rules}/${String(rule["resource_id"])}/cost`, {}, 404],
    ] as const) {
      expect([method, path, (await api.call(method, path, { body })).status]).toEqual([method, path, status]);
    }
    expect(
      (await api.call("POST", `${connections}/cost`, { body: connectionRequest(api.projectId, api.region) })).status,
    ).toBe(200);
    expect(
      (await api.call("POST", "/v1/networking/vpcs/cost", { body: vpcRequest(api.projectId, api.region) })).status,
    ).toBe(200);
  });
});

describe("null in an update, as the public Terraform provider sends it", () => {
  const cases = (api: Harness): [string, Json, Json][] => [
    ["/v1/projects", { name: "p" }, { tags: null }],
    ["/v1/api_keys", keyRequest(api.projectId), { tags: null, source_ip_rule: null }],
    ["/v1/networking/vpcs", vpcRequest(api.projectId, api.region), { tags: null }],
    [`/v1/networking/vpcs/${api.vpcId}/firewall_rules`, ruleRequest, { tags: null }],
    [connections, connectionRequest(api.projectId, api.region), { tags: null }],
  ];

  async function create(api: Harness, collection: string, body: Json): Promise<string> {
    const { body: made } = await api.call("POST", collection, { body: { ...body, tags: ["a"] } });
    return `${collection}/${String(made["resource_id"] ?? made["id"])}`;
  }

  it("null clears tags and source_ip_rule only", async () => {
    await withHarness({ dialect: "nirvana", operationTime: "0" }, async (api) => {
      for (const [collection, body, change] of cases(api)) {
        const item = await create(api, collection, body);
        expect((await api.call("PATCH", item, { body: { name: "kept" } })).status).toBeLessThan(300);
        expect((await api.call("GET", item)).body["tags"]).toEqual(["a"]);
        expect((await api.call("PATCH", item, { body: change })).status).toBeLessThan(300);
        const { body: cleared } = await api.call("GET", item);
        expect(cleared).toMatchObject({ name: "kept", tags: [] });
        if ("source_ip_rule" in change) expect(cleared["source_ip_rule"]).toEqual({ allowed: [], blocked: [] });
        expect(badParameters(await api.call("PATCH", item, { body: { name: null } }))).toEqual(["name"]);
      }
    });
  });

  it("the specification's dialect rejects null", async () => {
    await withHarness({ operationTime: "0" }, async (api) => {
      for (const [collection, body, change] of cases(api)) {
        const item = await create(api, collection, body);
        expect(badParameters(await api.call("PATCH", item, { body: change }))).toEqual(Object.keys(change).sort());
      }
    });
  });
});

it("the specification's dialect does not limit connections", async () => {
  await withHarness({ operationTime: "0" }, async (api) => {
    const body = connectionRequest(api.projectId, api.region);
    for (let count = 1; count <= 21; count += 1)
      expect((await api.call("POST", connections, { body })).status).toBe(202);
    const { body: quota } = await api.call("GET", `/v1/quotas/${api.region}`);
    expect(quota["networking"]).not.toHaveProperty("connect_connections");
  });
});

it.each([
  ["spec", "platform_region"],
  ["nirvana", "nirvana_region"],
] as const)("names a route's region in the dialect %s as %s", async (dialect, member) => {
  const { body } = await withHarness({ dialect }, (api) => api.call("GET", "/v1/networking/connect/routes"));
  const route = { [member]: "us-sva-2", provider: "aws", provider_region: "us-west-1" };
  expect((body["items"] as Json[])[0]).toEqual(route);
});
