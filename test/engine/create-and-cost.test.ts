import { counts, rowOf, succeeded } from "./support/output";
import { ALL, names, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { shortCollections } from "./support/simulated-api";
import { descriptorOf } from "../kinds";

const BANDWIDTH_50 = { monthlyTotal: "78.125", currency: "USD" };

/** The JSON of what stands in a resource's state, as compact as it can be written. */
const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

let session: Session;
let previewed: { output: string; requests: string[]; idsAfter: string[] };
let updated: { output: string; requests: string[] };

beforeAll(async () => {
  session = await Session.start(
    program(
      oneOfEach({ ConnectConnection: { tags: ["team-a"] } }),
      `exports.link = link.cost; exports.deployer = deployer.cost; exports.https = https.cost;`,
    ),
    { simulator: { operationTime: "150ms" } },
  );
  const preview = await session.api.during(() => session.stack.preview());
  previewed = {
    output: succeeded(preview.result),
    requests: preview.requests,
    idsAfter: await session.api.heldIds(),
  };
  const up = await session.api.during(() => session.up());
  updated = { output: succeeded(up.result), requests: up.requests };
});

describe("when new resources are previewed", () => {
  it.each([
    ["deployer", "+  pulumi-nodejs:dynamic/cloudinfra:ApiKey deployer create"],
    ["link", "+  pulumi-nodejs:dynamic/cloudinfra:ConnectConnection link create +$78.13/mo"],
    ["https", "+  pulumi-nodejs:dynamic/cloudinfra:FirewallRule https create"],
  ])("it shows what %s costs on its row, unless it costs nothing", (name, row) => {
    expect(rowOf(previewed.output, name)).toBe(row);
  });

  it.each(types)("it shows that a %s is created", (type) => {
    const { name } = descriptorOf(type);
    expect(rowOf(previewed.output, name)).toMatch(
      new RegExp(`^\\+  pulumi-nodejs:dynamic/cloudinfra:${type} ${name} create`),
    );
  });

  it("it knows the costs already, exact, as stack outputs", () => {
    expect(previewed.output).toMatch(/ link *: \{\n *currency *: "USD"\n *monthlyTotal *: "78\.125"/);
    expect(previewed.output).not.toMatch(/cost.*\[unknown\]/);
  });

  it("it asks for one quote each, otherwise whether it can be made, and nothing is made", () => {
    const others = previewed.requests.filter((request) => !request.endsWith("/cost"));
    expect(others.filter((request) => !/^GET |\/availability$/.test(request))).toEqual([]);
    expect(previewed.requests.filter((request) => request.endsWith("/cost")).sort()).toEqual(
      shortCollections({ areQuoted: true })
        .map((collection) => `POST ${collection}/cost`)
        .sort(),
    );
    expect(previewed.idsAfter).toEqual([]);
  });
});

describe("when new resources are brought up", () => {
  it("it says what it made, and state and API hold the same", async () => {
    expect(counts(updated.output)).toEqual([`+ ${ALL} created`]);
    await session.expectAgreement();
    expect(await session.api.heldIds()).toHaveLength(types.length);
  });

  it.each(["connections", "firewall_rules", "volumes", "vpcs"])(
    "it makes one quote, one POST, polls and one GET for %s",
    (collection) => {
      const own = updated.requests.filter((request) => request.includes(collection));
      expect(own).toEqual([`POST ${collection}/cost`, `POST ${collection}`, `GET ${collection}/:id`]);
      expect(updated.requests.some((request) => request.startsWith("GET operations"))).toBe(true);
    },
  );

  it("it makes one quote and one POST for an API key, which is whole at once", () => {
    const own = updated.requests.filter((request) => request.includes("api_keys"));
    expect(own).toEqual(["POST api_keys/cost", "POST api_keys"]);
  });

  it("it creates with the arguments of the program", async () => {
    const { apiKeys, connections, firewallRules } = await session.api.held();
    const { projectId, region, vpcId } = session.api.simulator;
    expect(connections[0]).toMatchObject({
      project_id: projectId,
      region,
      bandwidth_mbps: 50,
      cidrs: ["10.0.0.0/25"],
      provider_cidrs: ["172.16.0.0/16"],
      external_provider: { region: "us-west-2" },
      tags: ["team-a"],
    });
    expect(firewallRules[0]).toMatchObject({ vpc_id: vpcId, protocol: "tcp", destination_ports: ["443"], tags: [] });
    expect(apiKeys[0]).toMatchObject({
      project_ids: [projectId],
      permissions: [{ resource_type: "vm", permission: "edit" }],
      source_ip_rule: { allowed: [], blocked: [] },
    });
  });

  it("it names them after their logical names, with seven hex characters behind", async () => {
    const { connections } = await session.api.held();
    expect(session.one("link").outputs["name"]).toMatch(/^link-[0-9a-f]{7}$/);
    expect(connections.map(({ name }) => name)).toEqual([session.one("link").outputs["name"]]);
  });

  it("it keeps what the API alone knows as outputs", async () => {
    const { connections } = await session.api.held();
    const { asn, router_ip, created_at } = connections[0]!;
    expect(session.one("link").outputs).toMatchObject({
      status: "ready",
      asn,
      routerIp: router_ip,
      createdAt: created_at,
    });
  });

  it("it tells the cost in the stack's outputs, with the time of the quote", () => {
    expect(session.outputs()["link"]).toMatchObject(BANDWIDTH_50);
    expect(session.outputs()["link"]).toHaveProperty("pricedAt", expect.stringMatching(/^\d{4}-.*Z$/));
    expect(session.one("link").outputs["cost"]).toEqual(session.outputs()["link"]);
  });
});

describe("when resources stand in the state", () => {
  it.each(types)("the loader of a %s is exactly the text that is frozen", (type) => {
    const loader = `exports.handler = () => require("pulumi-cloudinfra/provider").v1("${type}");`;
    const { inputs, outputs } = session.one(descriptorOf(type).name);
    expect(inputs?.["__provider"]).toBe(loader);
    expect(outputs["__provider"]).toBe(loader);
  });

  it.each(names)("%s takes no more than 4,000 bytes", (name) => {
    expect(sizeOf(session.one(name))).toBeLessThanOrEqual(4_000);
  });

  it.each(names)("the place of %s in the program is the line that declares it", (name) => {
    const sourcePosition: unknown = expect.stringMatching(/^project:\/\/\/index\.js#\d+,/);
    expect(session.one(name)).toMatchObject({ sourcePosition });
  });
});
