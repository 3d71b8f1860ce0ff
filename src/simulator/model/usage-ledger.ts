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

/** True if the API meters the resource. */
export function isMetered({ resourceType }: Resource): boolean {
  return meteredTypes.some((type) => type === resourceType);
}

/** The cost of a usage at one price: `metered` is the quantity times the period in millionths of an hour. */
export function chargeCost({ metered, hourlyPrice }: { readonly metered: number; readonly hourlyPrice: Decimal }) {
  return hoursOf(hourlyPrice.times(metered));
}

/** The usage of the organization: when each metered resource began and ended. Nothing is dropped. */
export class UsageLedger {
  readonly table = new Table<UsageRecord>(() => "");
  readonly #running = new RunningUsage();

  constructor(private readonly prices: Prices) {}

  /** Begins to meter a resource. Usage that continues unchanged is not interrupted. */
  start(resource: Resource, usages: readonly Usage[], atMs: number): void {
    const { id, resourceType, projectId, region } = resource;
    const before = this.table.get(id);
    const segments = [...(before?.segments ?? [])];
    for (const wanted of segmentsOf(id, usages, atMs)) {
      const continued = segments.findIndex((old) => old.endedAtMs === atMs && segmentKey(old) === segmentKey(wanted));
      if (continued < 0) segments.push(wanted);
      else segments[continued] = withEnd(segments[continued] as Segment, undefined);
    }
    this.#running.change("start", usages);
    if (before) this.table.update(id, { segments, endedAtMs: undefined });
    else this.table.insert({ id, resourceType, projectId, region, startedAtMs: atMs, endedAtMs: undefined, segments });
  }

  stop({ id }: Resource, usages: readonly Usage[], atMs: number): void {
    const record = this.table.get(id);
    if (!record) return;
    // Usage that began at this same instant is empty.
    const used = record.segments.filter(({ startedAtMs }) => startedAtMs !== atMs);
    const segments = used.map((segment) => (segment.endedAtMs === undefined ? withEnd(segment, atMs) : segment));
    this.#running.change("stop", usages);
    if (record.startedAtMs === atMs) this.table.remove(id);
    else this.table.update(id, { segments, endedAtMs: atMs });
  }

  /** The current hourly price of everything that runs. */
  hourlyCost(): Decimal {
    let cost = new Decimal(0);
    for (const { dimension, quantity } of this.#running.all()) {
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

function withEnd(segment: Segment, endedAtMs: number | undefined): Segment {
  return { ...segment, endedAtMs, children: segment.children.map((leaf) => ({ ...leaf, endedAtMs })) };
}

/** Equal for segments that differ only in their times. */
function segmentKey({ dimension, quantity, children }: Segment): string {
  return JSON.stringify([dimension, quantity, children.map((leaf) => [leaf.dimension, leaf.quantity])]);
}
