import { Decimal } from "./decimal";

/** What a resource uses of one priced dimension (section 2.6). */
export interface Usage {
  readonly dimension: Dimension;
  readonly quantity: number;
}

/** A priced row before it is spelled for the wire. */
export interface PricedUsage extends Usage {
  readonly displayName: string;
  readonly unitPrice: Decimal;
  readonly monthlyAmount: Decimal;
}

/** The dimensions, with the price of one unit for one month in USD; nothing is shown, so these are made up. */
const catalogue = {
  api_key: { displayName: "API key", unitPrice: "0.00" },
  networking_connect_mbps: { displayName: "Connect bandwidth (Mbps)", unitPrice: "1.5625" },
  networking_firewall_rule: { displayName: "Firewall rule", unitPrice: "0.00" },
  networking_vpc: { displayName: "VPC", unitPrice: "7.30" },
} as const satisfies Record<string, { displayName: string; unitPrice: string }>;

/** The name of a priced dimension. */
export type Dimension = keyof typeof catalogue;

/** The names of all priced dimensions. */
export const dimensions = Object.keys(catalogue) as readonly Dimension[];

/** Whether a text names a priced dimension. */
export function isDimension(name: string): name is Dimension {
  return Object.hasOwn(catalogue, name);
}

/** The price list: as in the catalogue until the control port changes it. */
export class Prices {
  readonly #unitPrices = new Map<Dimension, Decimal>(
    dimensions.map((dimension) => [dimension, new Decimal(catalogue[dimension].unitPrice)]),
  );

  unitPrice(dimension: Dimension): Decimal {
    return this.#unitPrices.get(dimension) ?? new Decimal(0);
  }

  set(dimension: Dimension, unitPrice: Decimal): void {
    this.#unitPrices.set(dimension, unitPrice);
  }

  /** Prices a usage: the month costs quantity times unit price. */
  price({ dimension, quantity }: Usage): PricedUsage {
    const unitPrice = this.unitPrice(dimension);
    const { displayName } = catalogue[dimension];
    return { dimension, quantity, displayName, unitPrice, monthlyAmount: unitPrice.times(quantity) };
  }

  /** What a month of all of a usage costs. */
  total(usages: Iterable<Usage>): Decimal {
    let total = new Decimal(0);
    for (const usage of usages) total = total.plus(this.price(usage).monthlyAmount);
    return total;
  }
}

/** A Decimal of the wire (section 2.1): never an exponent, and cents even where they are zero. */
export function formatDecimal(value: Decimal): string {
  const text = value.decimalPlaces() < 2 ? value.toFixed(2) : value.toFixed();
  return value.isZero() ? text.replace("-", "") : text;
}
