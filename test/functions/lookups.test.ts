import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import { configure, makeVm, post, refusalOf, requestsOf, sendControl, startApi } from "./support";
import { storage } from "../kinds/volume";
import { OUTPUT_AS_TEXT } from "../support/output-as-text";
import { forSuite } from "../support/suite";

const api = forSuite(
  () => startApi(),
  (made) => configure(made, { projectId: made.projectId, region: made.region }),
);

type Functions = Readonly<Record<string, (args?: unknown, options?: unknown) => Promise<unknown>>>;
const functions = cloudinfra as unknown as Functions;

async function makeCluster(): Promise<string> {
  const body = {
    ...{ name: "main", project_id: api.projectId, region: api.region, vpc_id: api.vpcId },
    ...{ kubernetes_version: "v1.34.4", autoscaling: false },
  };
  return (await post(api, "/v1/nks/clusters", body))["resource_id"] as string;
}

const EITHER = 'It takes either "id", or "name" with or without "projectId".';
const EMPTY = "is empty: give one that the API has. The setting or the output that it comes from may be empty";

describe("every lookup", () => {
  it.each([
    ["getRegion", [{ name: "us-sva-2", projectId: "p" }], "projectId: is no argument of getRegion. It takes name."],
    ["getVpc", [{ nmae: "default", constructor: 1 }], "nmae: is no argument of getVpc. Did you mean name?"],
    [
      "getVpc",
      [{ nmae: "default", constructor: 1 }],
      "constructor: is no argument of getVpc. It takes id, name, projectId.",
    ],
    ["getVpc", [{ name: 7 }], 'getVpc: name: must be a string (is the number 7): write "7"'],
    ["getQuota", ["us-sva-2"], 'getQuota takes its arguments in an object, and was given "us-sva-2": getQuota({ … }).'],
    ["getRegions", [{ name: "us-sva-2" }], "The options of getRegions: name: is no argument of getRegions."],
    ["getVpcs", [{}, { parnet: 1 }], "Did you mean parent?"],
    ["getFirewallRules", [{}], 'getFirewallRules needs "vpcId".'],
    ["getVpc", [{ id: "a", name: "b" }], `getVpc was given id "a", name "b". ${EITHER}`],
    ["getVpc", [{}], `getVpc was given nothing. ${EITHER}`],
    ["getVpc", [{ id: "a", projectId: "p" }], `getVpc was given id "a", projectId "p". ${EITHER}`],
    ["getVpc", [{ id: "" }], `getVpc: id: ${EMPTY}`],
    ["getVpc", [{ name: "" }], `getVpc: name: ${EMPTY}`],
    ["getFirewallRules", [{ vpcId: "" }], `getFirewallRules: vpcId: ${EMPTY}`],
  ])("%s refuses %j before any request", async (name, args, text) => {
    const { message } = await refusalOf(functions[name]?.(...args) ?? Promise.resolve());
    expect(message).toContain(text);
    expect(await requestsOf(api)).toEqual([]);
  });

  it("refuses a name that contains an Output", async () => {
    const { message } = await refusalOf(cloudinfra.getVpc({ name: `x-${OUTPUT_AS_TEXT}` }));
    expect(message).toContain("name: contains an Output, and not its value: write pulumi.");
    expect(await requestsOf(api)).toEqual([]);
  });
});

it.each<[name: string, args: object, text: string | RegExp]>([
  [
    "getInstanceType",
    { name: "n1-standart-2" },
    /nothing with the region "us-sva-2" and name "n1-standart-2" \(404 .*\)\. The closest are n1-standard-2, n1-standard-4, n1-standard-8\.$/,
  ],
  [
    "getRegion",
    { name: "us-sva-1" },
    /the name "us-sva-1" \(404 .*\)\. The closest are us-sva-2, us-wdc-1, us-chi-1\.$/,
  ],
  [
    "getQuota",
    { region: "us-sva" },
    /the region "us-sva" \(404 .*\)\. The closest are us-sva-2, us-wdc-1, us-chi-1\.$/,
  ],
  ["getVpc", { name: "Default" }, /^No VPC of the project \S+ is named "Default"\. It has "default"\.$/],
  ["getVpc", { id: "gone" }, /\. The closest is \S+ \(default\)\.$/],
  ["getVpc", { id: "default" }, /\. The closest is \S+ \(default\)\.$/],
  ["getVpcs", { sort: "nme" }, /^getVpcs: sort: must be one or more of created_at, .* \(is "nme"\)$/],
  ["getVms", { status: "redy" }, /^getVms: status: must be .* \(is "redy"\)$/],
  [
    "getInstanceType",
    { name: "n1-standard-2", region: "us-sva" },
    'nothing with the region "us-sva" and name "n1-standard-2" (404',
  ],
])("%s of %j fails with the value and the closest names", async (name, args, text) => {
  const { message } = await refusalOf(functions[name]?.(args) ?? Promise.resolve());
  if (typeof text === "string") expect(message).toContain(text);
  else expect(message).toMatch(text);
});

it("names the configured region if the API has no such region", async () => {
  configure(api, { region: "us-sva-3" });
  const { message } = await refusalOf(cloudinfra.getQuota());
  expect(message).toMatch(
    /^getQuota: the API has nothing with the region "us-sva-3" \(404 .*\)\. The closest are us-sva-2,/,
  );
});

describe("lookups of manageable resources", () => {
  it("sends the API's filters, and returns the resource's fields", async () => {
    const id = await makeVm(api, "web");
    await makeVm(api, "db");
    const found = await cloudinfra.getVms({ name: "WE", region: api.region, tags: ["web"], sort: "name:desc" });
    expect(found).toMatchObject([
      { id, name: "web", instanceType: "n1-standard-2", publicIpEnabled: false, cpuConfig: { vcpu: 2 }, tags: ["web"] },
    ]);
    expect(Object.keys(found[0] ?? {})).not.toContain("sshKey");
    expect(await cloudinfra.getVms({ status: "error" })).toEqual([]);
    expect((await cloudinfra.getVm({ name: "web" })).id).toBe(id);
    expect((await cloudinfra.getVm({ id })).name).toBe("web");
    expect((await cloudinfra.getVolumes({ kind: "boot", vmId: id })).map(({ size }) => size)).toEqual([64]);
    const missing = await refusalOf(cloudinfra.getVm({ name: "nobody" }));
    expect(missing.message).toBe(`No VM of the project ${api.projectId} is named "nobody". It has "web", "db".`);
  });

  it("finds a connection by id and by name", async () => {
    const body = {
      ...{ name: "link", project_id: api.projectId, region: api.region, bandwidth_mbps: 50 },
      ...{ cidrs: ["10.0.0.0/25"], provider_cidrs: ["172.16.0.0/16"] },
    };
    const id = String((await post(api, "/v1/networking/connect/connections", body))["resource_id"]);
    const found = await cloudinfra.getConnectConnection({ name: "link" });
    expect(found).toMatchObject({ id, bandwidthMbps: 50, cidrs: ["10.0.0.0/25"] });
    expect(await cloudinfra.getConnectConnection({ id })).toEqual(found);
    const twin = cloudinfra.getConnectConnectionOutput({ name: pulumi.output("link") });
    expect(await new Promise((resolve) => twin.apply(resolve))).toEqual(found);
    const missing = await refusalOf(cloudinfra.getConnectConnection({ name: "nobody" }));
    expect(missing.message).toBe(
      `No connect connection of the project ${api.projectId} is named "nobody". It has "link".`,
    );
  });

  it("finds a firewall rule by id and by name", async () => {
    const body = {
      ...{ name: "https", protocol: "tcp", source_address: "0.0.0.0/0" },
      ...{ destination_address: "10.0.0.0/25", destination_ports: ["443"] },
    };
    const { vpcId } = api;
    const id = String((await post(api, `/v1/networking/vpcs/${vpcId}/firewall_rules`, body))["resource_id"]);
    const found = await cloudinfra.getFirewallRule({ vpcId, name: "https" });
    expect(found).toMatchObject({ id, destinationPorts: ["443"] });
    expect(await cloudinfra.getFirewallRule({ vpcId, id })).toEqual(found);
    const missing = await refusalOf(cloudinfra.getFirewallRule({ vpcId, name: "nobody" }));
    expect(missing.message).toBe(`No firewall rule of the VPC ${vpcId} is named "nobody". It has "https".`);
  });

  it("finds a flex RPC node by id and by name", async () => {
    const body = { name: "eth", project_id: api.projectId, blockchain: "ethereum", network: "mainnet" };
    const made = await post(api, "/v1/rpc_nodes/flex", body);
    const found = await cloudinfra.getRpcNodeFlex({ name: "eth" });
    expect(found).toMatchObject({ id: made["id"], blockchain: "ethereum" });
    expect(await cloudinfra.getRpcNodeFlex({ id: found.id })).toEqual(found);
  });

  it("reads all pages", async () => {
    const before = (await cloudinfra.getVpcs()).length;
    await sendControl(api, "/state", { vpcs: Array.from({ length: 120 }, (_, nth) => vpcNumber(nth)) });
    expect(await cloudinfra.getVpcs()).toHaveLength(before + 120);
    expect((await cloudinfra.getVpc({ name: "vpc-119" })).name).toBe("vpc-119");
  });

  it("shows no secret of a key", async () => {
    const body = {
      ...{ name: "ci", project_ids: [api.projectId], expires_at: new Date(Date.now() + 86_400_000).toISOString() },
      permissions: [{ resource_type: "vm", permission: "read" }],
    };
    const made = await post(api, "/v1/api_keys", body);
    const found = await cloudinfra.getApiKey({ name: "ci" });
    expect(found).toMatchObject({ id: made["id"], permissions: [{ resourceType: "vm", permission: "read" }] });
    expect(JSON.stringify(await cloudinfra.getApiKeys())).not.toContain(String(made["key"]));
    expect((await cloudinfra.getProject({ name: "default" })).id).toBe(api.projectId);
  });
});

describe("lookups of Kubernetes", () => {
  it("finds a cluster, its parts and its secret kubeconfig", async () => {
    const clusterId = await makeCluster();
    const pool = {
      name: "p",
      node_config: { instance_type: "n1-standard-2", boot_volume: { size: 64, type: storage } },
    };
    const made = await post(api, `/v1/nks/clusters/${clusterId}/pools`, { ...pool, node_count: 2 });
    const poolId = String(made["resource_id"]);
    expect((await cloudinfra.getKubernetesVersions()).map(({ name }) => name)).toContain("v1.34.4");
    expect(await cloudinfra.getNksCluster({ name: "main" })).toMatchObject({ id: clusterId, poolIds: [poolId] });
    expect(await cloudinfra.getNksNodePool({ clusterId, name: "p" })).toMatchObject({ id: poolId, nodeCount: 2 });
    expect((await cloudinfra.getNksNodes({ clusterId, poolId })).map(({ name }) => name)).toEqual(["p-0", "p-1"]);
    expect(await cloudinfra.getNksLoadBalancers({ clusterId })).toEqual([]);
    expect(await cloudinfra.getNksPersistentVolumeClaims({ clusterId })).toEqual([]);
    expect((await cloudinfra.getNksKubeconfig({ clusterId })).kubeconfig).toContain("kind: Config");
    const twin = cloudinfra.getNksKubeconfigOutput({ clusterId });
    expect(await pulumi.isSecret(twin)).toBe(true);
  });
});

describe("lookups of the platform's catalogs", () => {
  it("returns the platform's catalogs", async () => {
    expect((await cloudinfra.getOsImages()).map(({ name }) => name)).toContain("ubuntu-noble-2025-10-01");
    expect(await cloudinfra.getInstanceType({ name: "n1-standard-2" })).toMatchObject({ vcpu: 2, memoryGb: 8 });
    const large = await cloudinfra.getInstanceTypes({ region: api.region, vcpuMin: 64 });
    expect(large.map(({ vcpu }) => vcpu)).toEqual([64, 64, 64]);
    const slow = await cloudinfra.getInstanceTypes({ region: api.region, networkBandwidthGbpsMax: 2.5, series: "c1" });
    expect(slow.map(({ name }) => name)).toEqual(["c1-highcpu-2", "c1-highcpu-4"]);
    expect(await cloudinfra.getRegion()).toMatchObject({ name: api.region, availability: "live" });
    expect((await cloudinfra.getQuotas()).map(({ region }) => region)).toContain(api.region);
    expect(await cloudinfra.getRpcBlockchains({ kind: "flex", blockchain: "base" })).toEqual([
      { blockchain: "base", network: "mainnet" },
    ]);
    expect(await cloudinfra.getRpcNodesFlex()).toEqual([]);
    expect(await cloudinfra.getRpcNodesDedicated()).toEqual([]);
    const operations = await cloudinfra.getOperations({ type: "create", sort: "created_at:desc" });
    expect(operations.every(({ type }) => type === "create")).toBe(true);
    await makeVm(api, "web");
    expect((await cloudinfra.getAuditLogs({ action: "vm.create" })).map(({ action }) => action)).toEqual(["vm.create"]);
  });
});

function vpcNumber(nth: number): object {
  const id = `00000000-0000-4000-8000-${String(nth).padStart(12, "0").replace(/^0/, "9")}`;
  const now = "2026-01-01T00:00:00Z";
  const subnet = { id: `${id}-s`, name: "s", cidr: "10.9.0.0/25", created_at: now, updated_at: now };
  return {
    ...{ id, name: `vpc-${nth}`, project_id: api.projectId, region: api.region, status: "ready", subnet },
    ...{ firewall_rule_ids: [], tags: [], created_at: now, updated_at: now },
  };
}
