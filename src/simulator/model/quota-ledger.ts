import { conflict } from "./api-error";
import { type Dialect, quotaLimits as limits } from "./catalogues";

/** A quota, with its group, as in `networking.vpcs`. */
type QuotaKey = keyof typeof limits;

export const quotaKeys = Object.keys(limits) as readonly QuotaKey[];

/** The quotas of a dialect: only the public service counts connect connections. */
export function quotaKeysOf(dialect: Dialect): readonly QuotaKey[] {
  return quotaKeys.filter((name) => dialect === "nirvana" || name !== "networking.connect_connections");
}

/** Groups values by the first part of their names, as in `networking.vpcs`. */
export function grouped<N extends string, V>(
  names: readonly N[],
  valueOf: (name: N) => V,
): Record<string, Record<string, V>> {
  const groups: Record<string, Record<string, V>> = {};
  for (const full of names) {
    const [group = "", name = ""] = full.split(".");
    (groups[group] ??= {})[name] = valueOf(full);
  }
  return groups;
}

/** The names that have no capacity left in each region, for all organizations. */
export type Shortages = Readonly<Record<string, readonly QuotaKey[]>>;

export interface QuotaAmount {
  readonly quota: QuotaKey;
  readonly amount: number;
}

/** The organization's usage of its regional quotas. */
export class QuotaLedger {
  readonly #names: readonly QuotaKey[];
  readonly #used = new Map<string, number>();
  shortages: Shortages = {};

  constructor(dialect: Dialect) {
    this.#names = quotaKeysOf(dialect);
  }

  /** Every quota of a region, by its group and its name. */
  of(region: string) {
    return grouped(this.#names, (quota) => this.#detail(region, quota));
  }

  /** Refuses with 409 if an amount exceeds the rest, or if the region has none left. */
  requireRoom(region: string, uses: readonly QuotaAmount[]): void {
    const short = uses.filter(({ quota, amount }) => amount > 0 && this.shortages[region]?.includes(quota));
    if (short.length > 0) {
      const names = short.map(({ quota }) => quota.split(".")[1] ?? "").join(" and ");
      throw conflict(`${region} has no capacity for more ${names} now, try again later`);
    }
    const full = this.#counted(uses)
      .map((use) => ({ ...use, ...this.#detail(region, use.quota) }))
      .filter(({ amount, remaining }) => amount > 0 && amount > remaining);
    if (full.length === 0) return;
    const texts = full.map(({ quota, amount, limit, used }) => {
      const more = amount === 1 ? "" : `, and ${amount} more asked for`;
      return `${used} of ${limit} ${quota.split(".")[1] ?? ""} used${more}`;
    });
    const parameters = full.map(({ quota, limit, used, remaining }) => {
      return [`quota.${quota}`, `limit ${limit}, used ${used}, remaining ${remaining}`] as const;
    });
    throw conflict(`quota exceeded in ${region}: ${texts.join("; ")}`, Object.fromEntries(parameters));
  }

  /** Adds amounts to the usage. Negative amounts are given back. */
  add(region: string, uses: readonly QuotaAmount[]): void {
    for (const { quota, amount } of this.#counted(uses)) {
      this.#used.set(`${region} ${quota}`, this.#usedOf(region, quota) + amount);
    }
  }

  /** `after` minus `before`, by quota. */
  static difference(after: readonly QuotaAmount[], before: readonly QuotaAmount[]): readonly QuotaAmount[] {
    const amounts = new Map<QuotaKey, number>();
    for (const { quota, amount } of after) amounts.set(quota, (amounts.get(quota) ?? 0) + amount);
    for (const { quota, amount } of before) amounts.set(quota, (amounts.get(quota) ?? 0) - amount);
    return Array.from(amounts, ([quota, amount]) => ({ quota, amount }));
  }

  #counted(uses: readonly QuotaAmount[]): readonly QuotaAmount[] {
    return uses.filter(({ quota }) => this.#names.includes(quota));
  }

  #detail(region: string, quota: QuotaKey) {
    const [limit, used] = [limits[quota], this.#usedOf(region, quota)];
    return { limit, remaining: limit - used, used };
  }

  #usedOf(region: string, quota: QuotaKey): number {
    return this.#used.get(`${region} ${quota}`) ?? 0;
  }
}
