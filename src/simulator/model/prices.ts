import { Decimal } from "./decimal";

/** What a resource uses of one priced dimension (section 2.6). */
export interface Usage {
  readonly dimension: string;
  readonly quantity: number;
}

/** A priced row before it is spelled for the wire. */
export interface PricedUsage extends Usage {
  readonly displayName: string;
  readonly unitPrice: Decimal;
  readonly monthlyAmount: Decimal;
}

/** Priced dimensions, with the price of one unit for one month in USD; nothing is shown, so these are made up. */
export type PriceList = Readonly<Record<string, { readonly displayName: string; readonly unitPrice: string }>>;

/** The price list: as the nouns have it until the control port changes it. */
export class Prices {
  readonly #rows = new Map<string, { readonly displayName: string; unitPrice: Decimal }>();

  constructor(lists: readonly PriceList[]) {
    for (const list of lists) {
      for (const [dimension, { displayName, unitPrice }] of Object.entries(list)) {
        this.#rows.set(dimension, { displayName, unitPrice: new Decimal(unitPrice) });
      }
    }
  }

  /** The names of all priced dimensions. */
  get dimensions(): readonly string[] {
    return [...this.#rows.keys()];
  }

  unitPrice(dimension: string): Decimal {
    return this.#row(dimension).unitPrice;
  }

  set(dimension: string, unitPrice: Decimal): void {
    this.#row(dimension).unitPrice = unitPrice;
  }

  /** Prices a usage: the month costs quantity times unit price. */
  price({ dimension, quantity }: Usage): PricedUsage {
    const { displayName, unitPrice } = this.#row(dimension);
    return { dimension, quantity, displayName, unitPrice, monthlyAmount: unitPrice.times(quantity) };
  }

  /** What a month of all of a usage costs. */
  total(usages: Iterable<Usage>): Decimal {
    let total = new Decimal(0);
    for (const usage of usages) total = total.plus(this.price(usage).monthlyAmount);
    return total;
  }

  #row(dimension: string): { readonly displayName: string; unitPrice: Decimal } {
    const row = this.#rows.get(dimension);
    if (!row) throw new Error(`no noun has a price for ${dimension}`);
    return row;
  }
}

/** A Decimal of the wire (section 2.1): never an exponent, and cents even where they are zero. */
export function formatDecimal(value: Decimal): string {
  const text = value.decimalPlaces() < 2 ? value.toFixed(2) : value.toFixed();
  return value.isZero() ? text.replace("-", "") : text;
}
