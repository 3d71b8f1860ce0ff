import { findInstanceType } from "./catalogues";
import type { PriceList, Usage } from "./prices";

/** The dimensions of processors, memory and addresses, for VMs and nodes. */
export const computePrices: PriceList = {
  compute_vcpu: { displayName: "vCPU", unitPrice: "14.60" },
  compute_memory_gb: { displayName: "Memory (GB)", unitPrice: "1.825" },
  networking_public_ip: { displayName: "Public IP", unitPrice: "3.65" },
};

/** The dimensions of several machines of an instance type. */
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

/** Reports an instance type that a region does not have. The schema reports an absent or malformed one. */
export function reportInstanceType(
  region: unknown,
  name: unknown,
  report: (parameter: string, reason: string) => void,
  parameter = "instance_type",
): void {
  if (typeof region !== "string" || typeof name !== "string" || findInstanceType(region, name)) return;
  report(parameter, `no such instance type in ${region}`);
}
