import type { Noun } from "../../../src/simulator/nouns/noun";
import { volumeType } from "../../../src/simulator/nouns/volume";
import { derivedSample } from "./derived-sample";
import { type Json, location, requests } from "./harness";
import type { Ids } from "./populated";

/**
 * The expected rules of a noun, from the specification and the public clients, not from our code. The quotas are those
 * of its sample, and the increase by the sample's update.
 */
interface NounRules {
  /** Absent: that of its parent. */
  readonly permission?: string | undefined;
  readonly filters?: string;
  /** The sort fields besides created_at. */
  readonly sorts?: string | undefined;
  readonly counter?: string | undefined;
  readonly growsOnly?: string | undefined;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly quotaIncrease?: Readonly<Record<string, number>>;
}

/**
 * A valid request for one object of each noun, and valid bodies of its updates and actions. That of a kind follows from
 * its definition and its descriptor, unless this table has one. A noun without a sample fails every suite that needs
 * it.
 */
export interface Sample extends NounRules {
  /** Absent if no request creates one. `ids` are those of the earlier nouns in the registry. */
  readonly create?: (ids: Ids) => Json;
  /** True to create a second, empty one, so that it can be deleted. */
  readonly needsEmptyTwin?: boolean;
  /** For objects that no request creates: the object that the control port adds, without id and times. */
  readonly place?: (ids: Ids) => Json;
  /** Default: another name. */
  readonly update?: Json;
  readonly actions?: Readonly<Record<string, (ids: Ids) => Json>>;
  /** Another object, for an action that the first one's state does not allow. Created after all others. */
  readonly forAction?: Readonly<Record<string, (ids: Ids) => Json>>;
}

const project = { project_id: location.project_id };

const samples: Readonly<Record<string, Sample>> = {
  apiKeys: {
    permission: "api_key",
    filters: "name status tags",
    sorts: "updated_at name expires_at",
    create: () => requests.key,
  },
  organizations: { filters: "name type", sorts: "updated_at name", create: () => ({ name: "second" }) },
  memberships: {
    filters: "user_id role",
    sorts: "updated_at role",
    place: ({ organization_id }) => ({ organization_id: organization_id?.[0], user_id: "placed-user", role: "owner" }),
  },
  organizationAddresses: {
    create: () => ({ line1: "123 Main St", city: "San Francisco", postal_code: "94105", country: "US" }),
    update: { city: "Oakland", line2: null },
  },
  rechargePolicies: { update: { policy: "automatic", policy_args: { fixed: "50.00", runway_days: "7" } } },
  billingHistory: {
    filters: "created_at_min created_at_max currency purpose type",
    sorts: "amount",
    place: ({ organization_id }) => ({
      organization_id: organization_id?.[0],
      ...{ type: "adjustment", amount: "-5.00", currency: "USD", description: "goodwill", purpose: "refund" },
      receipt_url: null,
    }),
  },
  projects: {
    permission: "project",
    filters: "name tags",
    sorts: "updated_at name",
    create: () => ({ name: "third" }),
  },
  vpcs: {
    permission: "vpc",
    filters: "name region status tags",
    sorts: "updated_at name status",
    counter: "cloud.vpcs",
    quotas: { "networking.vpcs": 1 },
    create: () => requests.vpc,
  },
  firewallRules: {
    filters: "name protocol status tags",
    sorts: "updated_at name status protocol",
    create: () => requests.rule,
  },
  connections: {
    permission: "connect_connection",
    filters: "name provider provider_region region bandwidth_mbps status tags",
    sorts: "updated_at name status bandwidth_mbps",
    counter: "cloud.connect_connections",
    create: () => requests.connection,
  },
  volumes: {
    permission: "volume",
    filters: "name attached region vm_id kind status tags type",
    sorts: "updated_at name status size",
    counter: "cloud.volumes",
    growsOnly: "size",
    quotas: { "storage.abs": 20 },
    quotaIncrease: { "storage.abs": 10 },
    create: () => requests.volume,
    update: { name: "renamed", size: 30 },
    actions: { attach: ({ vm_id }) => ({ vm_id: vm_id?.[0] ?? "" }) },
    forAction: { detach: ({ vm_id }) => ({ ...requests.volume, vm_id: vm_id?.[0] ?? "" }) },
  },
  vms: {
    permission: "vm",
    filters: "name public_ip_enabled region subnet_id vpc_id status tags",
    sorts: "updated_at name status vcpu memory",
    counter: "cloud.vms",
    quotas: { "compute.vcpu": 2, "compute.memory_gb": 8, "networking.public_ips": 1, "storage.local_nvme": 64 },
    quotaIncrease: { "compute.vcpu": 2, "compute.memory_gb": 8 },
    create: () => requests.vm,
    update: { instance_type: "n1-standard-4" },
  },
  nksClusters: {
    permission: "nks_cluster",
    counter: "cloud.nks_clusters",
    quotas: { "nks.clusters": 1, "nks.public_ips": 1 },
    needsEmptyTwin: true,
    create: ({ vpc_id }) => ({
      ...{ name: "cluster", ...location, vpc_id: vpc_id?.[0], kubernetes_version: "v1.34.4", autoscaling: false },
    }),
  },
  nksControllers: {},
  nksControllerVolumes: {},
  nksLoadBalancers: {
    quotaIncrease: { "nks.public_ips": 1 },
    place: ({ cluster_id }) => ({
      ...{ cluster_id: cluster_id?.[0], namespace: "default", service_name: "web", status: "ready" },
      ...{ private_ip: "10.0.0.9", public_ip: null, public_ip_enabled: false },
    }),
    update: { public_ip_enabled: true },
  },
  nksPersistentVolumeClaims: {
    place: ({ cluster_id }) => ({
      ...{ cluster_id: cluster_id?.[0], name: "claim", size: 10, type: volumeType.options[1], status: "ready" },
    }),
  },
  nksNodePools: {
    permission: "nks_node_pool",
    counter: "cloud.nks_node_pools",
    quotas: { "nks.node_pool_vcpu": 4, "nks.node_pool_memory_gb": 16 },
    quotaIncrease: { "nks.node_pool_vcpu": 2, "nks.node_pool_memory_gb": 8 },
    create: () => ({
      name: "pool",
      node_config: { instance_type: "n1-standard-2", boot_volume: { size: 64, type: volumeType.options[0] } },
      node_count: 2,
    }),
    update: { name: "renamed", node_count: 3 },
  },
  nksNodes: {},
  nksNodeVolumes: {},
  rpcNodesFlex: {
    permission: "rpc_node_flex",
    filters: "blockchain network name tags",
    sorts: "name blockchain network",
    counter: "blockchain.rpc_nodes_flex",
    create: () => ({ ...project, name: "flex", blockchain: "ethereum", network: "mainnet" }),
  },
  rpcNodesDedicated: {
    permission: "rpc_node_dedicated",
    filters: "blockchain network name tags",
    sorts: "name blockchain network",
    counter: "blockchain.rpc_nodes_dedicated",
    place: () => ({
      ...{ ...project, name: "dedicated", blockchain: "solana", network: "mainnet", tags: [] },
      endpoint: "https://dedicated.invalid",
    }),
  },
};

/** The sample of a noun. */
export function sampleOf(noun: Noun): Sample & { readonly update: Json } {
  const own = samples[noun.key] ?? derivedSample(noun);
  if (!own)
    throw new Error(
      `There is no request for the noun ${noun.key}. If it has a kind, write its definition, its line in src/resources/classes.ts and test/kinds/<kind>.ts. If it ` +
        "has none, write a request in test/simulator/support/samples.ts.",
    );
  return { update: { name: "renamed" }, ...own };
}
