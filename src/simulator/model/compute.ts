import { findInstanceType } from "./catalogues";
import type { PriceList, Usage } from "./prices";

/** What processors, memory and addresses cost, of VMs and of nodes alike. */
export const computePrices: PriceList = {
  compute_vcpu: { displayName: "vCPU", unitPrice: "14.60" },
  compute_memory_gb: { displayName: "Memory (GB)", unitPrice: "1.825" },
  networking_public_ip: { displayName: "Public IP", unitPrice: "3.65" },
};

/** What so many machines of an instance type are billed for. */
export function computeUsage(region: string, instanceType: string, count = 1): readonly Usage[] {
  const type = findInstanceType(region, instanceType);
  return [
    { dimension: "compute_vcpu", quantity: (type?.vcpu ?? 0) * count },
    { dimension: "compute_memory_gb", quantity: (type?.memory_gb ?? 0) * count },
  ];
}

/** One row for each dimension. */
export function summed(usages: readonly Usage[]): readonly Usage[] {
  const quantities = new Map<string, number>();
  for (const { dimension, quantity } of usages) {
    quantities.set(dimension, (quantities.get(dimension) ?? 0) + quantity);
  }
  return Array.from(quantities, ([dimension, quantity]) => ({ dimension, quantity }));
}

/** Reports an instance type that a region does not have; what is absent or malformed is for others. */
export function reportInstanceType(
  region: unknown,
  name: unknown,
  report: (parameter: string, reason: string) => void,
  parameter = "instance_type",
): void {
  if (typeof region !== "string" || typeof name !== "string" || findInstanceType(region, name)) return;
  report(parameter, `no such instance type in ${region}`);
}
