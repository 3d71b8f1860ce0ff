import * as pulumi from "@pulumi/pulumi";
import { NotFoundError, UnauthorizedError } from "../../src/api/errors";
import * as cloudinfra from "../../src";
import { startSimulator, type Simulator } from "../../src/simulator";
import { configure, post, requestsOf, startApi } from "./support";

let api: Simulator;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => configure(api));

async function makeVpc(name: string): Promise<string> {
  const body = { name, project_id: api.projectId, region: api.region, subnet_name: "sub" };
  return (await post(api, "/v1/networking/vpcs", body))["resource_id"] as string;
}

/** What a function was refused with. */
async function refusalOf(call: Promise<unknown>): Promise<pulumi.RunError> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (pulumi.RunError.isInstance(error)) return error;
  throw new Error(`not a RunError: ${String(error)}`);
}

describe("getRegions", () => {
  it("when called, it gives every region with what it offers", async () => {
    const regions = await cloudinfra.getRegions();

    expect(regions.map(({ name, availability }) => [name, availability])).toEqual([
      ["us-sva-2", "live"],
      ["us-wdc-1", "live"],
      ["us-chi-1", "preview"],
    ]);
    expect(regions[2]).toEqual({
      name: "us-chi-1",
      availability: "preview",
      compute: { vms: true },
      networking: { connect: false, vpcs: true },
      nks: { autoscaling: false, clusters: false },
      storage: { abs: true, localNvme: true },
    });
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/regions", status: 200 }]);
  });
});

describe("getProjects", () => {
  it("when called, it gives the projects with their counters", async () => {
    const [project, ...others] = await cloudinfra.getProjects();

    expect(others).toEqual([]);
    expect(project).toEqual({
      id: api.projectId,
      name: "default",
      resources: {
        blockchain: { rpcNodesDedicated: 0, rpcNodesFlex: 0 },
        cloud: { connectConnections: 0, nksClusters: 0, nksNodePools: 0, vms: 0, volumes: 0, vpcs: 1 },
      },
      tags: [],
      createdAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
      updatedAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    });
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/projects", status: 200 }]);
  });
});

describe("getQuota", () => {
  it("when a region is given, it gives limits, use and rest as numbers", async () => {
    const quota = await cloudinfra.getQuota("us-sva-2");

    expect(quota).toMatchObject({
      region: "us-sva-2",
      compute: { memoryGb: { limit: 1024, used: 0, remaining: 1024 }, vcpu: { limit: 256, used: 0, remaining: 256 } },
      networking: { publicIps: { limit: 20, used: 0, remaining: 20 }, vpcs: { limit: 10, used: 1, remaining: 9 } },
      nks: {
        clusters: { limit: 10, used: 0, remaining: 10 },
        nodePoolMemoryGb: { limit: 1024, used: 0, remaining: 1024 },
        nodePoolVcpu: { limit: 256, used: 0, remaining: 256 },
        publicIps: { limit: 20, used: 0, remaining: 20 },
      },
      storage: {
        abs: { limit: 10_000, used: 0, remaining: 10_000 },
        localNvme: { limit: 10_000, used: 0, remaining: 10_000 },
      },
    });
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/quotas/us-sva-2", status: 200 }]);
  });

  it("when no region is given, it asks for the configured one", async () => {
    configure(api, { region: "us-wdc-1" });

    expect((await cloudinfra.getQuota()).region).toBe("us-wdc-1");
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/quotas/us-wdc-1", status: 200 }]);
  });

  it("when no region is given or configured, it says the three ways to give one and asks nothing", async () => {
    const { message } = await refusalOf(cloudinfra.getQuota());

    expect(message).toBe(
      'getQuota needs a region: give it one, or set it for the stack with "pulumi config set cloudinfra:region <value>", ' +
        "or in the environment with CLOUDINFRA_REGION=<value>.",
    );
    expect(await requestsOf(api)).toEqual([]);
  });

  it("when the service counts connect connections, it gives them too, and else leaves the member out", async () => {
    const dialect = "nirvana";
    const other = await startSimulator({ dialect, validateResponses: true });
    try {
      expect((await cloudinfra.getQuota("us-sva-2")).networking).not.toHaveProperty("connectConnections");
      configure(other, { dialect });
      expect((await cloudinfra.getQuota("us-sva-2")).networking.connectConnections).toEqual({
        limit: 20,
        used: 0,
        remaining: 20,
      });
    } finally {
      await other.close();
    }
  });
});

describe("getConnectRoutes", () => {
  it("when called, it gives each route", async () => {
    expect(await cloudinfra.getConnectRoutes()).toEqual([
      { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-west-1" },
      { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-west-2" },
      { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-east-1" },
      { platformRegion: "us-wdc-1", provider: "aws", providerRegion: "us-east-1" },
      { platformRegion: "us-wdc-1", provider: "aws", providerRegion: "us-east-2" },
    ]);
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/networking/connect/routes", status: 200 }]);
  });
});

describe("getVpcs", () => {
  it("when no project is given, it lists those of the configured one", async () => {
    configure(api, { projectId: api.projectId });
    const second = await makeVpc("second");

    const vpcs = await cloudinfra.getVpcs();

    expect(vpcs.map(({ id }) => id).sort()).toEqual([api.vpcId, second].sort());
    expect(vpcs.find(({ id }) => id === second)).toMatchObject({ name: "second", subnet: { name: "sub" } });
  });

  it("when neither is there, it says how to give a project and asks nothing", async () => {
    expect((await refusalOf(cloudinfra.getVpcs())).message).toMatch(
      /^getVpcs needs a projectId: .*CLOUDINFRA_PROJECT_ID=/,
    );
    expect(await requestsOf(api)).toEqual([]);
  });
});

describe("getVpc", () => {
  it("when an id is given, it gets that VPC alone", async () => {
    const rule = await post(api, `/v1/networking/vpcs/${api.vpcId}/firewall_rules`, {
      name: "https",
      protocol: "tcp",
      source_address: "0.0.0.0/0",
      destination_address: "10.0.0.0/25",
      destination_ports: ["443"],
    });

    expect(await cloudinfra.getVpc({ id: api.vpcId })).toEqual({
      id: api.vpcId,
      name: "default",
      projectId: api.projectId,
      region: "us-sva-2",
      status: "ready",
      subnet: { id: expect.any(String) as string, name: "default", cidr: "10.0.0.0/25" },
      firewallRuleIds: [rule["resource_id"]],
      tags: [],
      createdAt: expect.stringMatching(/Z$/) as string,
      updatedAt: expect.stringMatching(/Z$/) as string,
    });
    expect((await requestsOf(api)).slice(1)).toEqual([
      { method: "GET", path: `/v1/networking/vpcs/${api.vpcId}`, status: 200 },
    ]);
  });

  it("when a name is given, it finds the one VPC that has exactly it", async () => {
    await makeVpc("default-2");

    expect((await cloudinfra.getVpc({ name: "default", projectId: api.projectId })).id).toBe(api.vpcId);
    expect((await requestsOf(api)).slice(1)).toEqual([{ method: "GET", path: "/v1/networking/vpcs", status: 200 }]);
  });

  it("when no VPC has the name, it names those that are there", async () => {
    const { message } = await refusalOf(cloudinfra.getVpc({ name: "Default", projectId: api.projectId }));

    expect(message).toBe(`No VPC of the project ${api.projectId} is named "Default". It has "default".`);
  });

  it("when two VPCs have the name, it names their ids", async () => {
    const twins = [await makeVpc("twin"), await makeVpc("twin")];

    const { message } = await refusalOf(cloudinfra.getVpc({ name: "twin", projectId: api.projectId }));

    expect(message).toContain(`2 VPCs of the project ${api.projectId} are named "twin". Give an id: `);
    for (const id of twins) expect(message).toContain(id);
  });

  it("when there is none of the id, it fails with the client's message and error", async () => {
    const refusal = await refusalOf(cloudinfra.getVpc({ id: "gone" }));

    expect(refusal.message).toMatch(
      /^getVpc "gone" \(GET \/v1\/networking\/vpcs\/gone\) was answered 404 NOT_FOUND_ERROR/,
    );
    expect(refusal.cause).toBeInstanceOf(NotFoundError);
    expect(refusal.stack).toBe(refusal.message);
  });

  it.each([
    ["both id and name", { id: "a", name: "b" }],
    ["neither", {}],
    ["an id with a project", { id: "a", projectId: "p" }],
  ])("when given %s, it says what it takes and asks nothing", async (_, args) => {
    const { message } = await refusalOf(cloudinfra.getVpc(args as cloudinfra.GetVpcArgs));

    expect(message).toBe('getVpc takes either "id", or "name" with or without "projectId".');
    expect(await requestsOf(api)).toEqual([]);
  });
});

describe("every function", () => {
  it("when the key of the configuration is refused, it says which one it was, without showing it", async () => {
    configure(api, { apiKey: "canary-5f3d-wrong-key" });

    const refusal = await refusalOf(cloudinfra.getRegions());

    expect(refusal.cause).toBeInstanceOf(UnauthorizedError);
    expect(refusal.message).toContain("The API key from the stack's configuration (cloudinfra:apiKey) was refused");
    expect(refusal.message).not.toContain("canary");
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/regions", status: 401 }]);
  });

  it("when no key is configured, it says both ways to set one", async () => {
    pulumi.runtime.setAllConfig({ "cloudinfra:baseUrl": api.url });

    const { message } = await refusalOf(cloudinfra.getProjects());

    expect(message).toContain("pulumi config set --secret cloudinfra:apiKey <key>");
    expect(message).toContain("CLOUDINFRA_API_KEY=<key>");
    expect(await requestsOf(api)).toEqual([]);
  });

  it("when the settings change in the process, it follows them", async () => {
    await cloudinfra.getRegions();
    configure(api, { apiKey: "another" });

    expect((await refusalOf(cloudinfra.getRegions())).cause).toBeInstanceOf(UnauthorizedError);
  });
});
