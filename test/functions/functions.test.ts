import * as pulumi from "@pulumi/pulumi";
import { UnauthorizedError } from "../../src/api/errors";
import * as cloudinfra from "../../src";
import { startSimulator } from "../../src/simulator";
import { configure, refusalOf, requestsOf, startApi } from "./support";
import { forSuite } from "../support/suite";

const api = forSuite(
  () => startApi(),
  (made) => configure(made),
);

it("getRegions returns every region with its features", async () => {
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

it("getProjects returns the projects with their counters", async () => {
  const [project, ...others] = await cloudinfra.getProjects();

  expect(others).toEqual([]);
  expect(project).toEqual({
    id: api.projectId,
    name: "default",
    resources: {
      blockchain: expect.objectContaining({ rpcNodesDedicated: 0, rpcNodesFlex: 0 }) as object,
      cloud: expect.objectContaining({ vms: 0, vpcs: 1 }) as object,
    },
    tags: [],
    createdAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    updatedAt: expect.stringMatching(/^20\d\d-.*Z$/) as string,
  });
  expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/projects", status: 200 }]);
});

describe("getQuota", () => {
  it("getQuota returns limits, usage and remaining amounts as numbers", async () => {
    const quota = await cloudinfra.getQuota({ region: "us-sva-2" });

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

  it("uses the configured region by default", async () => {
    configure(api, { region: "us-wdc-1" });

    expect((await cloudinfra.getQuota()).region).toBe("us-wdc-1");
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/quotas/us-wdc-1", status: 200 }]);
  });

  it.each([
    ["region", "getQuota", () => cloudinfra.getQuota(), "CLOUDINFRA_REGION"],
    ["projectId", "getVpcs", () => cloudinfra.getVpcs(), "CLOUDINFRA_PROJECT_ID"],
  ])("says how to give a missing %s, without a request", async (setting, name, call, variable) => {
    const { message } = await refusalOf(call());
    expect(message).toBe(
      `${name} needs a ${setting}: give it one, or set it for the stack with "pulumi config set cloudinfra:${setting} <value>" ` +
        `or ${variable}=<value>.`,
    );
    expect(await requestsOf(api)).toEqual([]);
  });

  it("counts connect connections only in the dialect that does", async () => {
    const dialect = "nirvana";
    const other = await startSimulator({ dialect, validateResponses: true });
    try {
      expect((await cloudinfra.getQuota({ region: "us-sva-2" })).networking).not.toHaveProperty("connectConnections");
      configure(other, { dialect });
      expect((await cloudinfra.getQuota({ region: "us-sva-2" })).networking.connectConnections).toEqual({
        limit: 20,
        used: 0,
        remaining: 20,
      });
    } finally {
      await other.close();
    }
  });
});

it("getConnectRoutes returns each route", async () => {
  expect(await cloudinfra.getConnectRoutes()).toEqual([
    { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-west-1" },
    { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-west-2" },
    { platformRegion: "us-sva-2", provider: "aws", providerRegion: "us-east-1" },
    { platformRegion: "us-wdc-1", provider: "aws", providerRegion: "us-east-1" },
    { platformRegion: "us-wdc-1", provider: "aws", providerRegion: "us-east-2" },
  ]);
  expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/networking/connect/routes", status: 200 }]);
});

describe("every function", () => {
  it("names the source of a refused key, not the key", async () => {
    configure(api, { apiKey: "canary-5f3d-wrong-key" });

    const refusal = await refusalOf(cloudinfra.getRegions());

    expect(refusal.cause).toBeInstanceOf(UnauthorizedError);
    expect(refusal.message).toContain("The API key from the stack's configuration (cloudinfra:apiKey) was refused");
    expect(refusal.message).not.toContain("canary");
    expect(await requestsOf(api)).toEqual([{ method: "GET", path: "/v1/regions", status: 401 }]);
  });

  it("gives advice on a refused key only once", async () => {
    configure(api, { apiKey: "canary-another-wrong-key" });
    const [first, second] = [await refusalOf(cloudinfra.getRegions()), await refusalOf(cloudinfra.getProjects())];
    expect(first.message).toContain("was refused");
    expect(second.message).toMatch(/failed: 401/);
    expect(second.message).not.toContain("was refused");
  });

  it("says how to set a missing key", async () => {
    pulumi.runtime.setAllConfig({ "cloudinfra:baseUrl": api.url });

    const { message } = await refusalOf(cloudinfra.getProjects());

    expect(message).toContain('"pulumi config set --secret cloudinfra:apiKey", which asks for it');
    expect(message).toContain("CLOUDINFRA_API_KEY=<key>");
    expect(await requestsOf(api)).toEqual([]);
  });

  it("follows settings that change in the process", async () => {
    await cloudinfra.getRegions();
    configure(api, { apiKey: "another" });

    expect((await refusalOf(cloudinfra.getRegions())).cause).toBeInstanceOf(UnauthorizedError);
  });

  it("does not try the environment's key after a refusal", async () => {
    configure(api, { apiKey: "of-yesterday-and-refused" });
    process.env["CLOUDINFRA_API_KEY"] = api.apiKey;
    const { message, cause } = await refusalOf(cloudinfra.getRegions());
    expect(cause).toBeInstanceOf(UnauthorizedError);
    expect(message).toContain("CLOUDINFRA_API_KEY has another key");
    expect(message).not.toContain("of-yesterday-and-refused");
  });
});
