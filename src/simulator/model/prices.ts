import { Decimal as DecimalJs } from "decimal.js";

/**
 * Decimals with more digits than any price or sum. The API has arbitrary precision (section 2.1); the library's default
 * of 20 digits would round.
 */
export const Decimal = DecimalJs.clone({ precision: 80 });

export type Decimal = DecimalJs;

/** Hours in a billing month: 30 days. */
const hoursPerMonth = 720;

/**
 * An instant in millionths of an hour, the unit in which usage is metered. Each instant is rounded once, by itself, so
 * that parts of a period always add up to the whole.
 */
export function meteredInstant(epochMs: number): number {
  return Math.round(epochMs / 3.6);
}

/** Converts metered millionths of an hour into hours. */
export function hoursOf(metered: Decimal): Decimal {
  return metered.dividedBy(1_000_000);
}

/** The hourly price of a monthly price. Only this function rounds money. Results computed from it are exact. */
function hourlyPrice(monthlyPrice: Decimal): Decimal {
  return monthlyPrice.dividedBy(hoursPerMonth).toDecimalPlaces(10);
}

/** A quantity of one priced dimension (section 2.6). */
export interface Usage {
  readonly dimension: string;
  readonly quantity: number;
  /** The bundle that contains it, as an instance type contains its processors. */
  readonly bundle?: { readonly dimension: string; readonly quantity: number };
}

/**
 * The priced dimensions with the monthly price of one unit in USD. The specification shows no prices, so these are made
 * up.
 */
export type PriceList = Readonly<Record<string, { readonly displayName: string; readonly unitPrice: string }>>;

interface PriceRow {
  readonly displayName: string;
  /** The current price of a month. */
  unitPrice: Decimal;
  readonly history: { readonly sinceMs: number; readonly hourlyPrice: Decimal }[];
}

/** The price list: the nouns' prices until the control port changes them. Past usage keeps its price. */
export class Prices {
  readonly #rows = new Map<string, PriceRow>();

  constructor(lists: readonly PriceList[]) {
    for (const list of lists) {
      for (const [dimension, { displayName, unitPrice: text }] of Object.entries(list)) {
        const unitPrice = new Decimal(text);
        const history = [{ sinceMs: -Infinity, hourlyPrice: hourlyPrice(unitPrice) }];
        this.#rows.set(dimension, { displayName, unitPrice, history });
      }
    }
  }

  get dimensions(): readonly string[] {
    return [...this.#rows.keys()];
  }

  set(dimension: string, unitPrice: Decimal, sinceMs: number): void {
    const row = this.row(dimension);
    row.unitPrice = unitPrice;
    if (row.history.at(-1)?.sinceMs === sinceMs) row.history.pop();
    row.history.push({ sinceMs, hourlyPrice: hourlyPrice(unitPrice) });
  }

  hourlyPrice(dimension: string): Decimal {
    return this.row(dimension).history.at(-1)?.hourlyPrice ?? new Decimal(0);
  }

  /** The hourly prices of a dimension between two instants. */
  *periods(dimension: string, fromMs: number, toMs: number) {
    const { history } = this.row(dimension);
    for (const [index, { sinceMs, hourlyPrice }] of history.entries()) {
      const period = {
        fromMs: Math.max(fromMs, sinceMs),
        toMs: Math.min(toMs, history[index + 1]?.sinceMs ?? Infinity),
      };
      if (period.fromMs < period.toMs) yield { ...period, hourlyPrice };
    }
  }

  /** Prices a usage: the month costs quantity times unit price. */
  price({ dimension, quantity }: Usage) {
    const { displayName, unitPrice } = this.row(dimension);
    return { dimension, quantity, displayName, unitPrice, monthlyAmount: unitPrice.times(quantity) };
  }

  /** The monthly price of a usage. */
  total(usages: Iterable<Usage>): Decimal {
    let total = new Decimal(0);
    for (const usage of usages) total = total.plus(this.price(usage).monthlyAmount);
    return total;
  }

  row(dimension: string): PriceRow {
    const row = this.#rows.get(dimension);
    if (!row) throw new Error(`no noun has a price for ${dimension}`);
    return row;
  }
}

/** A Decimal of the wire (section 2.1): without an exponent, and with cents even if they are zero. */
export function formatDecimal(value: Decimal): string {
  const text = value.decimalPlaces() < 2 ? value.toFixed(2) : value.toFixed();
  return value.isZero() ? text.replace("-", "") : text;
}

/**
 * The running quantity of each dimension in the organization. Each change updates it, so that it is never counted anew.
 */
export class RunningUsage {
  readonly #quantities = new Map<string, number>();

  change(before: readonly Usage[], after: readonly Usage[]): void {
    const add = (dimension: string, quantity: number): void => {
      this.#quantities.set(dimension, (this.#quantities.get(dimension) ?? 0) + quantity);
    };
    for (const { dimension, quantity } of before) add(dimension, -quantity);
    for (const { dimension, quantity } of after) add(dimension, quantity);
  }

  *all(): Generator<Usage> {
    for (const [dimension, quantity] of this.#quantities) yield { dimension, quantity };
  }
}
