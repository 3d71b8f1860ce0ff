/** The catalogues, made up in the form that the public clients show. They do not change while the simulator runs. */

const created = { created_at: "2025-10-01T00:00:00Z", updated_at: "2025-10-01T00:00:00Z" };

const sizes = [2, 4, 8, 16, 32, 64] as const;
const families = [
  { family: "general", series: "n1", chipset: "amd-epyc-9554", kind: "standard", gbPerVcpu: 4 },
  { family: "memory", series: "n1", chipset: "amd-epyc-9554", kind: "highmem", gbPerVcpu: 8 },
  { family: "compute", series: "c1", chipset: "amd-epyc-9754", kind: "highcpu", gbPerVcpu: 2 },
] as const;

/** The instance types of the platform; each region has all of them but the smallest, which has no memory-heavy ones. */
export const instanceTypes = ["us-sva-2", "us-wdc-1", "us-chi-1"].flatMap((region) =>
  families
    .filter(({ family }) => region !== "us-chi-1" || family !== "memory")
    .flatMap(({ family, series, chipset, kind, gbPerVcpu }) =>
      sizes.map((vcpu) => ({
        name: `${series}-${kind}-${vcpu}`,
        family,
        series,
        chipset,
        vcpu,
        memory_gb: vcpu * gbPerVcpu,
        network_bandwidth_gbps: vcpu < 8 ? 2.5 : vcpu / 2,
        region,
        ...created,
      })),
    ),
);

export type InstanceType = (typeof instanceTypes)[number];

/** The instance type of a name in a region. */
export function findInstanceType(region: string, name: string): InstanceType | undefined {
  return instanceTypes.find((type) => type.region === region && type.name === name);
}

/** The instance types and images of VMs, in the order of the catalogue. */
export const osImages = [
  { name: "ubuntu-noble-2026-05-18", display_name: "Ubuntu 24.04 (2026-05-18)", created_at: "2026-05-18T00:00:00Z" },
  { name: "ubuntu-noble-2025-10-01", display_name: "Ubuntu 24.04 (2025-10-01)", created_at: "2025-10-01T00:00:00Z" },
  { name: "debian-trixie-2026-01-12", display_name: "Debian 13 (2026-01-12)", created_at: "2026-01-12T00:00:00Z" },
  { name: "rocky-9-2025-12-02", display_name: "Rocky Linux 9 (2025-12-02)", created_at: "2025-12-02T00:00:00Z" },
] as const;

/** The versions of clusters, the newest first. */
export const kubernetesVersions = [
  { name: "v1.34.4", display_name: "1.34.4", created_at: "2026-02-10T00:00:00Z" },
  { name: "v1.33.8", display_name: "1.33.8", created_at: "2026-01-20T00:00:00Z" },
  { name: "v1.32.12", display_name: "1.32.12", created_at: "2025-12-15T00:00:00Z" },
] as const;

/** The blockchains and networks of flex and dedicated RPC nodes. */
export const flexBlockchains = [
  { blockchain: "ethereum", network: "mainnet" },
  { blockchain: "ethereum", network: "sepolia" },
  { blockchain: "base", network: "mainnet" },
  { blockchain: "arbitrum", network: "mainnet" },
  { blockchain: "avalanche", network: "mainnet" },
] as const;

export const dedicatedBlockchains = [
  { blockchain: "ethereum", network: "mainnet" },
  { blockchain: "solana", network: "mainnet" },
] as const;

/** The limits of one region (section 2.11); the numbers are made up. */
export const quotaLimits = {
  "compute.memory_gb": 1024,
  "compute.vcpu": 256,
  "networking.public_ips": 20,
  "networking.vpcs": 10,
  "networking.connect_connections": 20,
  "nks.clusters": 10,
  "nks.node_pool_memory_gb": 1024,
  "nks.node_pool_vcpu": 256,
  "nks.public_ips": 20,
  "storage.abs": 10_000,
  "storage.local_nvme": 10_000,
} as const;

/** The resource types of section 5.5, in its order. */
export const resourceTypes = [
  "vm",
  "vpc",
  "volume",
  "connect_connection",
  "rpc_node_dedicated",
  "rpc_node_flex",
  "nks_cluster",
  "nks_node_pool",
  "project",
  "api_key",
  "organization",
  "audit_log",
  "usage",
] as const;
