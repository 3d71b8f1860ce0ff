/**
 * The rules of each noun: read from the specification and the public clients, not from our code. A noun without a row has
 * none of them. The quotas are those of its sample, and what the sample's update takes more.
 */
export interface Specified {
  readonly filters?: string;
  /** Besides created_at. */
  readonly sorts?: string;
  readonly counter?: string;
  readonly growsOnly?: string;
  readonly hasUniqueNames?: true;
  readonly quotas?: Readonly<Record<string, number>>;
  readonly growth?: Readonly<Record<string, number>>;
}

export const specified: Readonly<Record<string, Specified>> = {
  apiKeys: { filters: "name status tags", sorts: "updated_at name expires_at" },
  organizations: { filters: "name type", sorts: "updated_at name" },
  memberships: { filters: "user_id role", sorts: "updated_at role" },
  billingHistory: { filters: "created_at_min created_at_max currency purpose type", sorts: "amount" },
  projects: { filters: "name tags", sorts: "updated_at name" },
  vpcs: {
    filters: "name region status tags",
    sorts: "updated_at name status",
    counter: "cloud.vpcs",
    quotas: { "networking.vpcs": 1 },
  },
  firewallRules: { filters: "name protocol status tags", sorts: "updated_at name status protocol" },
  connections: {
    filters: "name provider provider_region region bandwidth_mbps status tags",
    sorts: "updated_at name status bandwidth_mbps",
    counter: "cloud.connect_connections",
  },
  volumes: {
    filters: "name attached region vm_id kind status tags type",
    sorts: "updated_at name status size",
    counter: "cloud.volumes",
    growsOnly: "size",
    quotas: { "storage.abs": 20 },
    growth: { "storage.abs": 10 },
  },
  vms: {
    filters: "name public_ip_enabled region subnet_id vpc_id status tags",
    sorts: "updated_at name status vcpu memory",
    counter: "cloud.vms",
    quotas: { "compute.vcpu": 2, "compute.memory_gb": 8, "networking.public_ips": 1, "storage.local_nvme": 64 },
    growth: { "compute.vcpu": 2, "compute.memory_gb": 8 },
  },
  nksClusters: { counter: "cloud.nks_clusters", quotas: { "nks.clusters": 1, "nks.public_ips": 1 } },
  nksLoadBalancers: { growth: { "nks.public_ips": 1 } },
  nksNodePools: {
    counter: "cloud.nks_node_pools",
    quotas: { "nks.node_pool_vcpu": 4, "nks.node_pool_memory_gb": 16 },
    growth: { "nks.node_pool_vcpu": 2, "nks.node_pool_memory_gb": 8 },
  },
  rpcNodesFlex: {
    filters: "blockchain network name tags",
    sorts: "name blockchain network",
    counter: "blockchain.rpc_nodes_flex",
  },
  rpcNodesDedicated: {
    filters: "blockchain network name tags",
    sorts: "name blockchain network",
    counter: "blockchain.rpc_nodes_dedicated",
  },
};
