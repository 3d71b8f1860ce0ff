import { conflict } from "./api-error";

/** The limits of one region (section 2.11); the numbers are made up, what is not simulated is never used. */
export const quotaLimits = {
  compute: { memory_gb: 1024, vcpu: 256 },
  networking: { public_ips: 20, vpcs: 10, connect_connections: 20 },
  nks: { clusters: 10, node_pool_memory_gb: 1024, node_pool_vcpu: 256, public_ips: 20 },
  storage: { abs: 10_000, local_nvme: 10_000 },
} as const;

/** A quota that something simulated uses up. */
export type CountedQuota = "vpcs" | "connect_connections";

/** What the organization uses of its regional quotas. */
export class Quotas {
  readonly #used = new Map<string, number>();

  used(region: string, quota: CountedQuota): number {
    return this.#used.get(`${region} ${quota}`) ?? 0;
  }

  /** Refuses with 409 where the limit is reached. */
  requireRoom(region: string, quota: CountedQuota): void {
    const limit = quotaLimits.networking[quota];
    const used = this.used(region, quota);
    if (used >= limit) {
      const parameter = `quota.networking.${quota}`;
      throw conflict(`quota exceeded in ${region}: ${used} of ${limit} ${quota} used`, {
        [parameter]: `limit ${limit}, used ${used}, remaining 0`,
      });
    }
  }

  /** Counts one more; refused where there is no room. */
  take(region: string, quota: CountedQuota): void {
    this.requireRoom(region, quota);
    this.#used.set(`${region} ${quota}`, this.used(region, quota) + 1);
  }

  /** Counts one less. */
  release(region: string, quota: CountedQuota): void {
    this.#used.set(`${region} ${quota}`, this.used(region, quota) - 1);
  }
}
