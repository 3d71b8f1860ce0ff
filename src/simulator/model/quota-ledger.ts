import { conflict } from "./rejection";
import { type Dialect, quotaLimits as limits } from "./catalogs";

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
  shortages: Shortages = {};

  /** `held` lists the amounts that the objects of a region take. */
  constructor(
    dialect: Dialect,
    private readonly held: (region: string) => Iterable<QuotaAmount>,
  ) {
    this.#names = quotaKeysOf(dialect);
  }

  /** Every quota of a region, by its group and its name. */
  of(region: string) {
    return grouped(this.#names, this.#detailsOf(region));
  }

  /** Refuses with 409 if an amount exceeds the rest, or if the region has none left. */
  requireRoom(region: string, uses: readonly QuotaAmount[]): void {
    const more = uses.filter(({ amount }) => amount > 0);
    const short = more.filter(({ quota }) => this.shortages[region]?.includes(quota));
    if (short.length > 0) {
      const names = short.map(({ quota }) => quota.split(".")[1] ?? "").join(" and ");
      throw conflict(`${region} has no capacity for more ${names} now, try again later`);
    }
    const counted = more.filter(({ quota }) => this.#names.includes(quota));
    if (counted.length === 0) return;
    const detailOf = this.#detailsOf(region);
    const full = counted
      .map((use) => ({ ...use, ...detailOf(use.quota) }))
      .filter(({ amount, remaining }) => amount > remaining);
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

  #detailsOf(region: string) {
    const totals = totalsOf(this.held(region));
    return (quota: QuotaKey) => {
      const [limit, used] = [limits[quota], totals.get(quota) ?? 0];
      return { limit, remaining: limit - used, used };
    };
  }
}

/** `after` minus `before`, by quota. */
export function quotaDifference(after: readonly QuotaAmount[], before: readonly QuotaAmount[]): readonly QuotaAmount[] {
  const returned = before.map(({ quota, amount }) => ({ quota, amount: -amount }));
  return Array.from(totalsOf([...after, ...returned]), ([quota, amount]) => ({ quota, amount }));
}

function totalsOf(amounts: Iterable<QuotaAmount>): ReadonlyMap<QuotaKey, number> {
  const totals = new Map<QuotaKey, number>();
  for (const { quota, amount } of amounts) totals.set(quota, (totals.get(quota) ?? 0) + amount);
  return totals;
}
