import { createHash } from "node:crypto";
import { Decimal, hoursOf, meteredInstant, type Prices, RunningUsage, type Usage } from "./prices";
import { Table } from "./table";

/** The kinds of resources that are metered: UsageResourceType of the public clients. */
export const meteredTypes = [
  "vm",
  "volume",
  "vpc",
  "connect_connection",
  "nks_cluster",
  "nks_node_pool",
  "nks_load_balancer",
] as const;

export interface Resource {
  readonly id: string;
  readonly resourceType: string;
  readonly projectId: string;
  readonly region: string;
}

/** A quantity of one dimension over a time. It has no end while it runs. */
export interface Leaf {
  readonly id: string;
  readonly dimension: string;
  readonly quantity: number;
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
}

/** A leaf, or a bundle with its components, which begin and end with it. */
interface Segment extends Leaf {
  readonly children: readonly Leaf[];
}

export interface UsageRecord extends Resource {
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  readonly segments: readonly Segment[];
}

/** The cost of a usage at one price: `metered` is the quantity times the period in millionths of an hour. */
export function chargeCost({ metered, hourlyPrice }: { readonly metered: number; readonly hourlyPrice: Decimal }) {
  return hoursOf(hourlyPrice.times(metered));
}

/** The usage of the organization: what each resource uses now, and what the metered ones have used. */
export class UsageLedger {
  /** The metered resources. Nothing is dropped. */
  readonly table = new Table<UsageRecord>(() => "");
  /** Everything that has a price, for a summary's run rate. */
  readonly running = new RunningUsage();
  readonly #metered = new RunningUsage();
  readonly #present = new Map<string, readonly Usage[]>();

  constructor(private readonly prices: Prices) {}

  /**
   * States what a resource uses from now on. A resource that is not metered, such as a firewall rule, counts in the run
   * rate only.
   */
  set(resource: Resource, usages: readonly Usage[], atMs: number): void {
    const isMetered = meteredTypes.some((type) => type === resource.resourceType);
    if (isMetered && !this.table.get(resource.id)) {
      this.table.insert({ ...resource, startedAtMs: atMs, endedAtMs: undefined, segments: [] });
    }
    this.#change(resource.id, usages, atMs);
  }

  /** States that a resource uses nothing from now on. */
  end(id: string, atMs: number): void {
    this.#change(id, [], atMs);
  }

  #change(id: string, usages: readonly Usage[], atMs: number): void {
    const before = this.#present.get(id) ?? [];
    if (before.length === 0 && usages.length === 0) return;
    this.running.change(before, usages);
    if (usages.length > 0) this.#present.set(id, usages);
    else this.#present.delete(id);
    const record = this.table.get(id);
    if (!record) return;
    this.#metered.change(before, usages);
    const wanted = new Map(segmentsOf(id, usages, atMs).map((segment) => [segmentKey(segment), segment]));
    const segments = record.segments
      // Usage that began at this same instant is empty.
      .filter(({ startedAtMs }) => startedAtMs !== atMs)
      // Usage that continues unchanged is not interrupted, nor if it ended at this same instant.
      .map((segment) => {
        if ((segment.endedAtMs ?? atMs) !== atMs) return segment;
        const endedAtMs = wanted.delete(segmentKey(segment)) ? undefined : atMs;
        return { ...segment, endedAtMs, children: segment.children.map((leaf) => ({ ...leaf, endedAtMs })) };
      });
    if (usages.length === 0 && record.startedAtMs === atMs) this.table.remove(id);
    else {
      const endedAtMs = usages.length === 0 ? atMs : undefined;
      this.table.update(id, { segments: [...segments, ...wanted.values()], endedAtMs });
    }
  }

  /** The current hourly price of everything that is metered. */
  hourlyCost(): Decimal {
    let cost = new Decimal(0);
    for (const { dimension, quantity } of this.#metered.all()) {
      if (quantity !== 0) cost = cost.plus(this.prices.hourlyPrice(dimension).times(quantity));
    }
    return cost;
  }

  /** The usage of each segment of a resource between two instants. A bundle has the charges of its components. */
  *usages({ segments }: UsageRecord, fromMs: number, toMs: number) {
    for (const { dimension, quantity, startedAtMs, endedAtMs = Infinity, ...segment } of segments) {
      const [start, end] = [Math.max(startedAtMs, fromMs), Math.min(endedAtMs, toMs)];
      if (start >= end) continue;
      const isBundle = segment.children.length > 0;
      const leaves = isBundle ? segment.children : [{ dimension, quantity }];
      const charges = leaves.flatMap((leaf) =>
        Array.from(this.prices.periods(leaf.dimension, start, end), (period) => ({
          dimension: leaf.dimension,
          metered: metered(leaf.quantity, period.fromMs, period.toMs),
          hourlyPrice: period.hourlyPrice,
        })),
      );
      yield { dimension, isBundle, metered: metered(quantity, start, end), charges };
    }
  }
}

function metered(quantity: number, fromMs: number, toMs: number): number {
  return quantity * (meteredInstant(toMs) - meteredInstant(fromMs));
}

/** The segments that begin at an instant: bundles, and dimensions that are in no bundle. */
function segmentsOf(resourceId: string, usages: readonly Usage[], atMs: number): readonly Segment[] {
  const segments = new Map<string, Segment & { readonly children: Leaf[] }>();
  const begun = ({ dimension, quantity }: Usage): Leaf => ({
    id: idOf(`${resourceId} ${dimension} ${atMs}`),
    dimension,
    quantity,
    startedAtMs: atMs,
    endedAtMs: undefined,
  });
  for (const usage of usages) {
    if (usage.quantity === 0) continue;
    const head = usage.bundle ?? usage;
    let segment = segments.get(head.dimension);
    if (!segment) segments.set(head.dimension, (segment = { ...begun(head), children: [] }));
    if (usage.bundle) segment.children.push(begun(usage));
  }
  return [...segments.values()];
}

/** A UUID derived from the text, so that repeated runs give equal ids. */
function idOf(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return hash.slice(0, 32).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

/** Equal for segments that differ only in their times. */
function segmentKey({ dimension, quantity, children }: Segment): string {
  return JSON.stringify([dimension, quantity, children.map((leaf) => [leaf.dimension, leaf.quantity])]);
}
