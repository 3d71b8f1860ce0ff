/**
 * The regional quotas (specification, section 2.11), with their group, and the words for them. To add one, add a line.
 * The specification shows no unit of the storage quotas: they are compared with the sizes of volumes, in GB.
 */
export const quotaWords = {
  "compute.vcpu": "vCPUs of VMs",
  "compute.memory_gb": "memory of VMs (GB)",
  "networking.public_ips": "public IPs",
  "networking.vpcs": "VPCs",
  "networking.connect_connections": "connect connections",
  "nks.clusters": "NKS clusters",
  "nks.node_pool_vcpu": "vCPUs of node pools",
  "nks.node_pool_memory_gb": "memory of node pools (GB)",
  "nks.public_ips": "public IPs of NKS",
  "storage.abs": "ABS storage (GB)",
  "storage.local_nvme": "local NVMe storage (GB)",
} as const satisfies Readonly<Record<string, string>>;

/** The quotas that a dialect of the API does not show. */
export const unshownQuotas = {
  spec: ["networking.connect_connections"],
  nirvana: [],
} as const satisfies Readonly<Record<string, readonly QuotaName[]>>;

export type QuotaName = keyof typeof quotaWords;

/** The amount of each quota that an object needs. */
export type QuotaUse = Readonly<Partial<Record<QuotaName, number>>>;

/** The size of an instance type. Undefined if it is not known. */
export type MachineOf = (
  instanceType: string | undefined,
) => { readonly vcpu: number; readonly memoryGb: number } | undefined;
