import {
  badParameters,
  connectionRequest,
  type Harness,
  type Json,
  ruleRequest,
  startHarness,
  vpcRequest,
} from "./support/harness";

let api: Harness;
beforeAll(async () => {
  api = await startHarness();
});
afterAll(() => api.close());
beforeEach(() => {
  api.reset();
});

const connections = "/v1/networking/connect/connections";
const vpcs = "/v1/networking/vpcs";
const tags = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag-${index}`);
const rules = (): string => `${vpcs}/${api.vpcId}/firewall_rules`;
const path = (collection: string, operation: Json): string => `${collection}/${String(operation["resource_id"])}`;

describe("connect connections (section 2.7)", () => {
  const request = (more: Json = {}): Json => ({ ...connectionRequest(api.projectId, api.region), ...more });

  test("when one is created, it is creating, then ready with both ends of the link filled in", async () => {
    const external_provider = { account_id: "523816707215", region: "us-east-1" };
    const reply = await api.call("POST", connections, { body: request({ external_provider, tags: ["a"] }) });
    expect(reply.status).toBe(202);
    const at = path(connections, reply.body);
    const before = await api.call("GET", at);
    expect(before.body).toEqual({
      ...request({ tags: ["a"] }),
      id: reply.body["resource_id"],
      status: "creating",
      asn: null,
      provider_asn: null,
      router_ip: null,
      provider_router_ip: null,
      external_provider: { region: "us-east-1" },
      created_at: "2026-03-01T12:00:00Z",
      updated_at: "2026-03-01T12:00:00Z",
    });
    await api.advance("8s");
    const after = await api.call("GET", at);
    expect(after.body).toEqual({
      ...before.body,
      status: "ready",
      asn: expect.any(Number) as number,
      provider_asn: expect.any(Number) as number,
      router_ip: expect.stringMatching(/^169\.254\./) as string,
      provider_router_ip: expect.stringMatching(/^169\.254\./) as string,
      updated_at: "2026-03-01T12:00:08Z",
    });
    expect((await api.state())["connections"]).toEqual([after.body]);
    expect(JSON.stringify(await api.state())).not.toContain("523816707215");
  });

  test("when no external provider is given, it is null", async () => {
    const reply = await api.call("POST", connections, { body: request() });
    expect((await api.call("GET", path(connections, reply.body))).body["external_provider"]).toBeNull();
  });

  test.each<[string, Json, string[]]>([
    [
      "nothing but a project",
      { name: undefined, region: undefined, bandwidth_mbps: undefined, cidrs: undefined, provider_cidrs: undefined },
      ["bandwidth_mbps", "cidrs", "name", "provider_cidrs", "region"],
    ],
    ["no project", { project_id: undefined }, ["project_id"]],
    ["an unknown project", { project_id: "nowhere" }, ["project_id"]],
    ["an unknown region", { region: "us-xxx-9" }, ["region"]],
    ["a region without connect", { region: "us-chi-1" }, ["region"]],
    ["a bandwidth between two", { bandwidth_mbps: 100 }, ["bandwidth_mbps"]],
    ["a bandwidth as text", { bandwidth_mbps: "200" }, ["bandwidth_mbps"]],
    ["no CIDRs", { cidrs: [] }, ["cidrs"]],
    ["no provider CIDRs", { provider_cidrs: [] }, ["provider_cidrs"]],
    ["an unaligned CIDR", { cidrs: ["10.0.0.0/16", "10.1.0.1/16"] }, ["cidrs[1]"]],
    ["an unaligned provider CIDR", { provider_cidrs: ["172.16.0.1/12"] }, ["provider_cidrs[0]"]],
    ["a CIDR that is not canonical", { cidrs: ["010.0.0.0/16"] }, ["cidrs[0]"]],
    ["a CIDR in short", { cidrs: ["10/8"] }, ["cidrs[0]"]],
    ["an address without a mask", { cidrs: ["10.0.0.0"] }, ["cidrs[0]"]],
    ["a mask of 33", { cidrs: ["10.0.0.0/33"] }, ["cidrs[0]"]],
    [
      "an account of 11 characters",
      { external_provider: { account_id: "12345678901", region: "us-east-1" } },
      ["external_provider.account_id"],
    ],
    [
      "an account of 13 characters",
      { external_provider: { account_id: "1234567890123", region: "us-east-1" } },
      ["external_provider.account_id"],
    ],
    [
      "a provider without a region",
      { external_provider: { account_id: "123456789012" } },
      ["external_provider.region"],
    ],
    ["51 tags", { tags: tags(51) }, ["tags"]],
    [
      "the public service's name of the provider",
      { aws: { account_id: "123456789012", region: "us-east-1" } },
      ["aws"],
    ],
  ])("with %s, the answer is 400 and names what is bad", async (_name, more, bad) => {
    for (const at of [connections, `${connections}/cost`]) {
      const reply = await api.call("POST", at, { body: request(more) });
      expect([reply.status, reply.body["type"]]).toEqual([400, "VALIDATION_ERROR"]);
      expect(badParameters(reply)).toEqual(bad);
    }
    expect((await api.state())["connections"]).toEqual([]);
  });

  test.each<[string, Json]>([
    ...[50, 200, 500, 1000, 2000].map((bandwidth_mbps): [string, Json] => [
      `${bandwidth_mbps} Mbps`,
      { bandwidth_mbps },
    ]),
    ["50 tags", { tags: tags(50) }],
    ["a name of 300 characters: there is no limit to it", { name: "x".repeat(300) }],
    ["another region", { region: "us-wdc-1" }],
    ["every address", { cidrs: ["0.0.0.0/0"] }],
  ])("with %s, it is created", async (_name, more) => {
    expect((await api.call("POST", connections, { body: request(more) })).status).toBe(202);
    expect((await api.state())["connections"]).toMatchObject([more]);
  });

  test("when the name or tags change, nothing else does; nothing else can", async () => {
    const created = await api.call("POST", connections, { body: request() });
    const at = path(connections, created.body);
    await api.advance("8s");
    const { body: before } = await api.call("GET", at);
    const reply = await api.call("PATCH", at, { body: { name: "other", tags: ["b"] } });
    expect(reply.status).toBe(202);
    expect((await api.call("GET", at)).body).toEqual({ ...before, status: "updating" });
    await api.advance("8s");
    const after = { ...before, name: "other", tags: ["b"], updated_at: "2026-03-01T12:00:16Z" };
    expect((await api.call("GET", at)).body).toEqual(after);
    const refused = await api.call("PATCH", at, {
      body: { bandwidth_mbps: 500, cidrs: ["10.0.0.0/8"], tags: tags(51) },
    });
    expect(badParameters(refused)).toEqual(["bandwidth_mbps", "cidrs", "tags"]);
    expect((await api.state())["connections"]).toEqual([after]);
  });
});

describe("firewall rules (section 2.8)", () => {
  test("when one is created, it stands in its VPC", async () => {
    const reply = await api.call("POST", rules(), { body: { ...ruleRequest, tags: ["web"] } });
    expect(reply.status).toBe(202);
    await api.advance("8s");
    const rule = await api.call("GET", path(rules(), reply.body));
    expect(rule.body).toEqual({
      ...ruleRequest,
      id: reply.body["resource_id"],
      vpc_id: api.vpcId,
      status: "ready",
      tags: ["web"],
      created_at: "2026-03-01T12:00:00Z",
      updated_at: "2026-03-01T12:00:08Z",
    });
    expect((await api.state())["firewallRules"]).toEqual([rule.body]);
    expect((await api.call("GET", `${vpcs}/${api.vpcId}`)).body["firewall_rule_ids"]).toEqual([rule.body["id"]]);
  });

  test.each<[string, Json, string[]]>([
    [
      "nothing",
      {
        name: undefined,
        protocol: undefined,
        source_address: undefined,
        destination_address: undefined,
        destination_ports: undefined,
      },
      ["destination_address", "destination_ports", "name", "protocol", "source_address"],
    ],
    ["another protocol", { protocol: "icmp" }, ["protocol"]],
    ["an unaligned source", { source_address: "10.0.0.1/24" }, ["source_address"]],
    ["a source without a mask", { source_address: "10.0.0.1" }, ["source_address"]],
    ["0.0.0.0 with a mask of 8", { source_address: "0.0.0.0/8" }, ["source_address"]],
    ["0.0.0.0 with a mask of 32", { source_address: "0.0.0.0/32" }, ["source_address"]],
    ["an unaligned destination", { destination_address: "10.0.0.1/25" }, ["destination_address"]],
    ["a destination around the VPC", { destination_address: "10.0.0.0/24" }, ["destination_address"]],
    ["a part of the VPC", { destination_address: "10.0.0.0/26" }, ["destination_address"]],
    ["an address beyond the VPC", { destination_address: "10.0.0.128/32" }, ["destination_address"]],
    ["port 0", { destination_ports: ["0"] }, ["destination_ports[0]"]],
    ["port 65536", { destination_ports: ["443", "65536"] }, ["destination_ports[1]"]],
    ["a port as a number", { destination_ports: [443] }, ["destination_ports[0]"]],
    ["a port with a zero before it", { destination_ports: ["0443"] }, ["destination_ports[0]"]],
    ["a range the wrong way round", { destination_ports: ["9000-8000"] }, ["destination_ports[0]"]],
    ["a range of three", { destination_ports: ["1-2-3"] }, ["destination_ports[0]"]],
    ["half a range", { destination_ports: ["1-"] }, ["destination_ports[0]"]],
    ["51 tags", { tags: tags(51) }, ["tags"]],
    ["a VPC in the body", { vpc_id: "x" }, ["vpc_id"]],
  ])("with %s, create and update answer 400 and name what is bad", async (name, more, bad) => {
    const created = await api.call("POST", rules(), { body: ruleRequest });
    const before = (await api.state())["firewallRules"];
    for (const at of [rules(), `${rules()}/cost`]) {
      const reply = await api.call("POST", at, { body: { ...ruleRequest, ...more } });
      expect([reply.status, reply.body["type"]]).toEqual([400, "VALIDATION_ERROR"]);
      expect(badParameters(reply)).toEqual(bad);
    }
    // An update may leave out everything.
    if (name !== "nothing") {
      const reply = await api.call("PATCH", path(rules(), created.body), { body: more });
      expect(reply.status).toBe(400);
      expect(badParameters(reply)).toEqual(bad);
    }
    expect((await api.state())["firewallRules"]).toEqual(before);
  });

  test.each<[string, Json]>([
    ["udp", { protocol: "udp" }],
    ["a network as its source", { source_address: "192.168.0.0/16" }],
    ["one address as its source", { source_address: "203.0.113.7/32" }],
    ["an address in the VPC", { destination_address: "10.0.0.127/32" }],
    ["the ends of the ports", { destination_ports: ["1", "65535", "1-65535"] }],
    ["a range of ports", { destination_ports: ["22", "8000-9000"] }],
    ["50 tags", { tags: tags(50) }],
  ])("with %s, it is created, and updated", async (_name, more) => {
    expect((await api.call("POST", rules(), { body: { ...ruleRequest, ...more } })).status).toBe(202);
    const plain = await api.call("POST", rules(), { body: ruleRequest });
    await api.advance("8s");
    expect((await api.call("PATCH", path(rules(), plain.body), { body: more })).status).toBe(202);
    await api.advance("8s");
    expect((await api.state())["firewallRules"]).toMatchObject([
      { ...ruleRequest, ...more },
      { ...ruleRequest, ...more },
    ]);
  });

  test("when the rule belongs to another VPC, it is not found", async () => {
    const rule = await api.call("POST", rules(), { body: ruleRequest });
    const vpc = await api.call("POST", vpcs, { body: vpcRequest(api.projectId, api.region) });
    await api.advance("8s");
    const other = `${path(vpcs, vpc.body)}/firewall_rules/${String(rule.body["resource_id"])}`;
    for (const method of ["GET", "DELETE"]) expect((await api.call(method, other)).status).toBe(404);
    expect((await api.call("POST", `${vpcs}/nowhere/firewall_rules`, { body: ruleRequest })).status).toBe(404);
    expect((await api.state())["firewallRules"]).toHaveLength(1);
  });
});

describe("VPCs", () => {
  test("when one is created, the service chooses a subnet that no other has", async () => {
    const created = await api.call("POST", vpcs, { body: vpcRequest(api.projectId, api.region) });
    await api.advance("8s");
    const { body } = await api.call("GET", path(vpcs, created.body));
    expect(body).toMatchObject({
      name: "net",
      status: "ready",
      subnet: { name: "subnet" },
      firewall_rule_ids: [],
      tags: [],
    });
    const subnets = ((await api.state())["vpcs"] ?? []).map(({ subnet }) => (subnet as Json)["cidr"]);
    expect(subnets).toEqual(["10.0.0.0/25", "10.0.0.128/25"]);
  });

  test.each<[string, Json, string[]]>([
    ["nothing", {}, ["name", "project_id", "region", "subnet_name"]],
    [
      "an unknown project and region",
      { name: "x", subnet_name: "y", project_id: "nowhere", region: "nowhere" },
      ["project_id", "region"],
    ],
    [
      "a CIDR",
      { name: "x", subnet_name: "y", region: "us-sva-2", project_id: "?", cidr: "10.0.0.0/8" },
      ["cidr", "project_id"],
    ],
  ])("with %s, the answer is 400", async (_name, body, bad) => {
    for (const at of [vpcs, `${vpcs}/cost`]) expect(badParameters(await api.call("POST", at, { body }))).toEqual(bad);
    expect((await api.state())["vpcs"]).toHaveLength(1);
  });

  test("when its names and tags change, they do once the operation is done", async () => {
    const at = `${vpcs}/${api.vpcId}`;
    const body = { name: "main", subnet_name: "inner", tags: ["x"] };
    const reply = await api.call("PATCH", at, { body });
    expect(reply.status).toBe(202);
    expect(reply.body["details"]).toEqual({
      changes: {
        name: { from: "default", to: "main" },
        subnet_name: { from: "default", to: "inner" },
        tags: { from: [], to: ["x"] },
      },
    });
    expect((await api.call("GET", at)).body).toMatchObject({ name: "default", status: "updating" });
    await api.advance("8s");
    expect((await api.call("GET", at)).body).toMatchObject({
      name: "main",
      subnet: { name: "inner", cidr: "10.0.0.0/25" },
      tags: ["x"],
      status: "ready",
    });
  });

  test("when it has firewall rules, it cannot be deleted; without them it can", async () => {
    const rule = await api.call("POST", rules(), { body: ruleRequest });
    const refused = await api.call("DELETE", `${vpcs}/${api.vpcId}`);
    expect([refused.status, refused.body["type"], refused.headers["x-should-retry"]]).toEqual([
      409,
      "CONFLICT_ERROR",
      "false",
    ]);
    await api.advance("8s");
    await api.call("DELETE", path(rules(), rule.body));
    await api.advance("8s");
    expect((await api.call("DELETE", `${vpcs}/${api.vpcId}`)).status).toBe(202);
    const late = await api.call("POST", rules(), { body: ruleRequest });
    expect([late.status, late.body["type"]]).toEqual([409, "CONFLICT_ERROR"]);
    await api.advance("8s");
    expect((await api.call("GET", `${vpcs}/${api.vpcId}`)).status).toBe(404);
    expect((await api.state())["vpcs"]).toEqual([]);
  });
});

describe("quotas (section 2.11)", () => {
  const used = async (region: string): Promise<unknown> => {
    const { body } = await api.call("GET", `/v1/quotas/${region}`);
    return (body["networking"] as Json)["vpcs"];
  };

  test("when VPCs come and go, they are counted in their region, and refused beyond the limit", async () => {
    expect(await used(api.region)).toEqual({ limit: 10, remaining: 9, used: 1 });
    const body = vpcRequest(api.projectId, api.region);
    let last: Json = {};
    for (let count = 2; count <= 10; count += 1) {
      const reply = await api.call("POST", vpcs, { body });
      expect(reply.status).toBe(202);
      last = reply.body;
    }
    expect(await used(api.region)).toEqual({ limit: 10, remaining: 0, used: 10 });
    const refused = await api.call("POST", vpcs, { body });
    expect([refused.status, refused.body["type"], refused.headers["x-should-retry"]]).toEqual([
      409,
      "CONFLICT_ERROR",
      "false",
    ]);
    expect(badParameters(refused)).toEqual(["quota.networking.vpcs"]);
    expect((await api.state())["vpcs"]).toHaveLength(10);

    expect(await used("us-wdc-1")).toEqual({ limit: 10, remaining: 10, used: 0 });
    await api.call("DELETE", path(vpcs, last));
    expect(await used(api.region)).toMatchObject({ used: 10 });
    await api.advance("8s");
    expect(await used(api.region)).toMatchObject({ used: 9 });
    expect((await api.call("POST", vpcs, { body })).status).toBe(202);
  });

  test("the quota has every member of the specification, and connections only in the public service's dialect", async () => {
    const { body } = await api.call("GET", `/v1/quotas/${api.region}`);
    const members = Object.entries(body).flatMap(([group, leaves]) =>
      group === "region" ? [] : Object.keys(leaves as Json).map((leaf) => `${group}.${leaf}`),
    );
    expect(members.sort()).toEqual([
      "compute.memory_gb",
      "compute.vcpu",
      "networking.public_ips",
      "networking.vpcs",
      "nks.clusters",
      "nks.node_pool_memory_gb",
      "nks.node_pool_vcpu",
      "nks.public_ips",
      "storage.abs",
      "storage.local_nvme",
    ]);
    expect((await api.call("GET", "/v1/quotas/nowhere")).status).toBe(404);
    expect((await api.call("GET", "/v1/quotas")).body).toMatchObject({ pagination: { total_count: 3 } });
  });
});

describe("regions, projects and routes", () => {
  test("the first of several live regions is the one that the simulator names", async () => {
    const { body } = await api.call("GET", "/v1/regions");
    expect(body).toMatchObject({ items: [{ name: "us-sva-2", availability: "live" }, { availability: "live" }, {}] });
    expect(api.region).toBe("us-sva-2");
    expect((await api.call("GET", "/v1/regions/us-sva-2")).body).toEqual((body["items"] as Json[])[0]);
    expect((await api.call("GET", "/v1/regions/nowhere")).status).toBe(404);
  });

  test("a project counts its resources", async () => {
    await api.call("POST", connections, { body: connectionRequest(api.projectId, api.region) });
    const { body } = await api.call("GET", `/v1/projects/${api.projectId}`);
    expect(body).toMatchObject({ name: "default", resources: { cloud: { connect_connections: 1, vpcs: 1, vms: 0 } } });
    expect((await api.call("GET", "/v1/projects/nowhere")).status).toBe(404);
  });

  test("a project's name and tags change at once; an empty request changes nothing", async () => {
    const project = `/v1/projects/${await api.newProject()}`;
    const { body: before } = await api.call("GET", project);
    await api.advance("1h");
    expect((await api.call("PATCH", project, { body: {} })).body).toEqual(before);
    const changed = await api.call("PATCH", project, { body: { name: "third", tags: ["a"] } });
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({ ...before, name: "third", tags: ["a"], updated_at: "2026-03-01T13:00:00Z" });
    expect((await api.call("GET", project)).body).toEqual(changed.body);
    expect(badParameters(await api.call("PATCH", project, { body: { name: 1, id: "x" } }))).toEqual(["id", "name"]);
    expect((await api.call("PATCH", "/v1/projects/nowhere", { body: {} })).status).toBe(404);
  });

  test("a project is deleted once it holds no resources", async () => {
    const second = await api.newProject();
    const body = connectionRequest(second, api.region);
    const { body: operation } = await api.call("POST", connections, { body });
    const refused = await api.call("DELETE", `/v1/projects/${second}`);
    expect([refused.status, refused.headers["x-should-retry"]]).toEqual([409, "false"]);
    await api.call("DELETE", `${connections}/${String(operation["resource_id"])}`);
    await api.advance("8s");
    expect(await api.call("DELETE", `/v1/projects/${second}`)).toMatchObject({ status: 204, body: {} });
    expect((await api.call("DELETE", `/v1/projects/${second}`)).status).toBe(404);
    expect((await api.call("GET", "/v1/projects")).body).toMatchObject({ pagination: { total_count: 1 } });
  });

  test("a key that does not reach a project can neither change nor delete it", async () => {
    const key = await api.newKey(["project:edit"]);
    const project = `/v1/projects/${await api.newProject()}`;
    expect((await api.call("PATCH", project, { key, body: { name: "x" } })).status).toBe(403);
    expect((await api.call("DELETE", project, { key })).status).toBe(403);
  });

  test("the routes have the specification's members", async () => {
    const { body } = await api.call("GET", "/v1/networking/connect/routes");
    expect((body["items"] as Json[])[0]).toEqual({
      platform_region: "us-sva-2",
      provider: "aws",
      provider_region: "us-west-1",
    });
  });
});
