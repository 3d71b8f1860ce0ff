import { Decimal, formatDecimal, hoursOf, type Prices } from "../model/prices";
import { dayMs, startOfNextUtcMonth } from "../model/time";
import { chargeCost, type UsageRecord } from "../model/usage-ledger";
import type { Call } from "./call";

type Records = readonly UsageRecord[];

/** The usage that a caller may see between two instants. Neither is later than now. */
function* visibleRecords({ caller }: Call, records: Records, fromMs: number, toMs: number): Generator<UsageRecord> {
  for (const record of records) {
    const isThen = record.startedAtMs < toMs && (record.endedAtMs ?? Infinity) > fromMs;
    if (isThen && caller.reaches(record.projectId)) yield record;
  }
}

/** DailyCostPoint (section 2.6) of each day of a range, oldest first. */
export function dailyCosts(call: Call, records: Records, range: { readonly from: string; readonly to: string }) {
  const days: { date: string; cost: string }[] = [];
  for (let dayStart = Date.parse(range.from); dayStart <= Date.parse(range.to); dayStart += dayMs) {
    const end = Math.min(dayStart + dayMs, call.nowMs);
    let cost = new Decimal(0);
    for (const record of visibleRecords(call, records, dayStart, end)) {
      for (const { charges } of call.world.billing.usage.usages(record, dayStart, end))
        cost = cost.plus(sum(charges.map(chargeCost)));
    }
    days.push({ date: new Date(dayStart).toISOString().slice(0, 10), cost: formatDecimal(cost) });
  }
  return days;
}

/** A line of a statement before it is formatted. */
interface StatementLine {
  readonly dimension: string;
  readonly hourlyPrice: Decimal;
  metered: number;
}

/** A bundle with its components, or a line by itself. */
interface StatementItem {
  readonly dimension: string;
  /** The quantity of a bundle. Its price is that of its components. */
  metered: number;
  readonly lines: Map<string, StatementLine>;
  readonly isBundle: boolean;
}

/** The statement of a month: each dimension at each of its prices, by project and resource type. */
export function statementOf(call: Call, records: Records, month: string) {
  const fromMs = Date.parse(`${month}-01`);
  const toMs = Math.min(startOfNextUtcMonth(fromMs), call.nowMs);
  const projects = new Map<string, Map<string, Map<string, StatementItem>>>();
  const { usage } = call.world.billing;
  for (const record of visibleRecords(call, records, fromMs, toMs)) {
    const types = entry(projects, record.projectId, () => new Map<string, Map<string, StatementItem>>());
    const items = entry(types, record.resourceType, () => new Map<string, StatementItem>());
    for (const { dimension: name, isBundle, metered, charges } of usage.usages(record, fromMs, toMs)) {
      for (const { dimension, hourlyPrice, metered: charged } of charges) {
        const priced = `${dimension} at ${hourlyPrice.toFixed()}`;
        const item = entry(items, isBundle ? name : priced, () => {
          return { dimension: name, metered: 0, lines: new Map<string, StatementLine>(), isBundle };
        });
        entry(item.lines, priced, () => ({ dimension, hourlyPrice, metered: 0 })).metered += charged;
      }
      const bundle = isBundle ? items.get(name) : undefined;
      if (bundle) bundle.metered += metered;
    }
  }
  const written = Array.from(projects, ([id, types]) => projectOnWire(call, id, types));
  written.sort((a, b) => (a.project_name < b.project_name ? -1 : a.project_name > b.project_name ? 1 : 0));
  const total = sum(written.map(({ subtotal }) => subtotal));
  return { currency: "USD", month, total: formatDecimal(total), projects: written.map(spelled) };
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

const sum = (amounts: readonly Decimal[]): Decimal =>
  amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));

const spelled = <T extends { readonly subtotal: Decimal }>(of: T) => ({ ...of, subtotal: formatDecimal(of.subtotal) });

function projectOnWire({ world }: Call, id: string, types: Map<string, Map<string, StatementItem>>) {
  const project = world.find("projects", id) as { readonly name?: string } | undefined;
  const resourceTypes = Array.from(types, ([resource_type, items]) => {
    const written = Array.from(items.values(), (item) => itemOnWire(item, world.prices));
    return {
      resource_type,
      subtotal: sum(written.map(({ amount }) => amount)),
      items: written.map(({ item }) => item),
    };
  });
  return {
    project_id: id,
    project_name: project?.name ?? world.billing.formerProjects.get(id) ?? id,
    subtotal: sum(resourceTypes.map(({ subtotal }) => subtotal)),
    resource_types: resourceTypes.map(spelled),
  };
}

function itemOnWire({ dimension, metered, lines, isBundle }: StatementItem, prices: Prices) {
  const amount = sum(Array.from(lines.values(), chargeCost));
  const written = Array.from(lines.values(), (line) => ({
    dimension: line.dimension,
    display_name: `${prices.row(line.dimension).displayName} (hours)`,
    quantity_hours: formatDecimal(hoursOf(new Decimal(line.metered))),
    unit_price: formatDecimal(line.hourlyPrice),
    cost: formatDecimal(chargeCost(line)),
  }));
  const [only] = written;
  if (!isBundle && only) return { amount, item: { ...only, children: [] } };
  return {
    amount,
    item: {
      dimension,
      display_name: `${dimension.replace(/^compute_/, "").replaceAll("_", "-")} (hours)`,
      quantity_hours: formatDecimal(hoursOf(new Decimal(metered))),
      unit_price: null,
      cost: formatDecimal(amount),
      children: written,
    },
  };
}
