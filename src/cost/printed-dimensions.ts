import type { Decimal } from "decimal.js";
import { decimal, decimalText } from "./money";
import { printedAmounts } from "./printed-report";
import type { KnownCost, PricedQuantity } from "./report";

/** One dimension of a resource as it is printed: `before → after`, or one text where both are the same. */
export interface PrintedDimension {
  /** The service's words for it. */
  readonly displayName: string;
  readonly quantity: string;
  /** Exact: it may be a fraction of a cent. */
  readonly unitPrice: string;
  /** With `-` for a side that is not billed by it. */
  readonly monthlyAmount: string;
  readonly difference: string;
}

/** The dimensions that a resource is billed by, in the service's order. */
export function printedDimensions({ dimensions }: KnownCost): readonly PrintedDimension[] {
  return dimensions.map(({ displayName, before, after }) => {
    const sides = (text: (side: PricedQuantity) => string): string =>
      change([before, after].flatMap((side) => (side ? [text(side)] : [])));
    const amounts = printedAmounts(amountOf(before), amountOf(after));
    return {
      displayName,
      quantity: sides(({ quantity }) => decimalText(decimal(String(quantity)))),
      unitPrice: sides(({ unitPrice }) => exactDollars(unitPrice)),
      monthlyAmount: change([before ? amounts.before : "-", after ? amounts.after : "-"]),
      difference: amounts.difference,
    };
  });
}

/** What a side costs: nothing where it is not billed. */
export function amountOf(side: PricedQuantity | undefined): Decimal {
  return side?.monthlyAmount ?? decimal("0");
}

function change(sides: readonly string[]): string {
  return [...new Set(sides)].join(" → ");
}

function exactDollars(amount: Decimal): string {
  return `${amount.isNegative() && !amount.isZero() ? "-" : ""}$${decimalText(amount.abs())}`;
}
