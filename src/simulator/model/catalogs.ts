import type { Region } from "../schemas/primitives";
import type { PriceList, Usage } from "./prices";

/** Fixed ids, the same after a reset or restart, so that a stack can continue with a new simulator. */
export const seededIds = {
  owner: "00000000-0000-4000-8000-000000000001",
  project: "00000000-0000-4000-8000-000000000002",
  vpc: "00000000-0000-4000-8000-000000000003",
  subnet: "00000000-0000-4000-8000-000000000004",
  managedApiKey: "00000000-0000-4000-8000-000000000005",
  organization: "00000000-0000-4000-8000-000000000006",
  membership: "00000000-0000-4000-8000-000000000007",
  rechargePolicy: "00000000-0000-4000-8000-000000000008",
  firstCharge: "00000000-0000-4000-8000-000000000009",
} as const;

/** The two spellings of the API: the specification's, and that of the public service. */
export type Dialect = "spec" | "nirvana";

const everything = {
  compute: { vms: true },
  networking: { connect: true, vpcs: true },
  nks: { autoscaling: true, clusters: true },
  storage: { abs: true, local_nvme: true },
};

/** The regions of the platform. The first is the one of `startSimulator`. */
export const regions: readonly [Region, ...Region[]] = [
  { name: "us-sva-2", availability: "live", ...everything },
  { name: "us-wdc-1", availability: "live", ...everything },
  {
    name: "us-chi-1",
    availability: "preview",
    ...everything,
    networking: { connect: false, vpcs: true },
    nks: { autoscaling: false, clusters: false },
  },
];

/** The regions that connect reaches, without the dialect's name for the platform's region. */
export const connectRoutes = [
  { region: "us-sva-2", provider: "aws", provider_region: "us-west-1" },
  { region: "us-sva-2", provider: "aws", provider_region: "us-west-2" },
  { region: "us-sva-2", provider: "aws", provider_region: "us-east-1" },
  { region: "us-wdc-1", provider: "aws", provider_region: "us-east-1" },
  { region: "us-wdc-1", provider: "aws", provider_region: "us-east-2" },
] as const;

export function findRegion(name: string): Region | undefined {
  return regions.find((region) => region.name === name);
}

/**
 * Tells why a region cannot have a resource that needs these features, such as `networking.connect`. Undefined if it
 * can.
 */
export function regionProblem(name: string, features: readonly string[]): string | undefined {
  const region = findRegion(name);
  if (!region) return `unknown region, must be one of ${regions.map((known) => known.name).join(", ")}`;
  for (const feature of features) {
    const [group = "", member = ""] = feature.split(".");
    const offered = region[group as keyof Region] as unknown as Readonly<Record<string, boolean>>;
    if (offered[member] !== true) return `${member} is not offered in this region`;
  }
  return undefined;
}

/**
 * The times of each instance type. All catalogs are made up, in the form that the public clients show, and never
 * change.
 */
const created = { created_at: "2025-10-01T00:00:00Z", updated_at: "2025-10-01T00:00:00Z" };

const sizes = [2, 4, 8, 16, 32, 64] as const;
const families = [
  { family: "general", series: "n1", chipset: "amd-epyc-9554", kind: "standard", gbPerVcpu: 4 },
  { family: "memory", series: "n1", chipset: "amd-epyc-9554", kind: "highmem", gbPerVcpu: 8 },
  { family: "compute", series: "c1", chipset: "amd-epyc-9754", kind: "highcpu", gbPerVcpu: 2 },
] as const;

/**
 * The instance types of the platform. Each region has all of them, except that us-chi-1 has none with a lot of memory.
 */
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

export function findInstanceType(region: string, name: string): InstanceType | undefined {
  return instanceTypes.find((type) => type.region === region && type.name === name);
}

/** The images of VMs, in the order of the catalog. */
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

/** The dimensions of processors, memory and addresses, for VMs and nodes. */
export const computePrices: PriceList = {
  compute_vcpu: { displayName: "vCPU", unitPrice: "14.60" },
  compute_memory_gb: { displayName: "Memory (GB)", unitPrice: "1.825" },
  networking_public_ip: { displayName: "Public IP", unitPrice: "3.65" },
};

/** The billed quantities of `count` machines of an instance type, one row for each dimension. */
export function computeUsage(region: string, instanceType: string, count = 1): readonly Usage[] {
  const type = findInstanceType(region, instanceType);
  const bundle = { dimension: `compute_${instanceType.replaceAll("-", "_")}`, quantity: count };
  return [
    { dimension: "compute_vcpu", quantity: (type?.vcpu ?? 0) * count, bundle },
    { dimension: "compute_memory_gb", quantity: (type?.memory_gb ?? 0) * count, bundle },
  ];
}

/** One row for each dimension. */
export function summed(usages: readonly Usage[]): readonly Usage[] {
  const rows = new Map<string, Usage>();
  for (const usage of usages) {
    const row = rows.get(usage.dimension);
    rows.set(usage.dimension, row ? { ...row, quantity: row.quantity + usage.quantity } : usage);
  }
  return [...rows.values()];
}

/** Reports an instance type that a region does not have. The schema already reports a missing or malformed one. */
export function reportInstanceType(
  region: unknown,
  name: unknown,
  report: (parameter: string, reason: string) => void,
  parameter = "instance_type",
): void {
  if (typeof region !== "string" || typeof name !== "string" || findInstanceType(region, name)) return;
  report(parameter, `no such instance type in ${region}`);
}
