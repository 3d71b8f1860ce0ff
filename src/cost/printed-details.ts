import { decimal, exactDollars, exactSignedDollars } from "./money";
import { dimensionDelta, type DimensionCost, type KnownCost, type PricedQuantity } from "./report";

/** A dimension of a changed resource as printed: `before → after`, or one value if they are the same. Amounts are exact. */
export interface PrintedDimension {
  readonly displayName: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly monthlyAmount: string;
  readonly difference: string;
}

/** The dimensions of a resource, in the service's order. */
export function printedDimensions({ dimensions }: KnownCost): readonly PrintedDimension[] {
  return dimensions.map((dimension) => ({
    displayName: dimension.displayName,
    quantity: change(dimension, ({ quantity }) => decimal(String(quantity)).toFixed()),
    unitPrice: change(dimension, ({ unitPrice }) => exactDollars(unitPrice)),
    monthlyAmount: change(dimension, ({ monthlyAmount }) => exactDollars(monthlyAmount)),
    difference: exactSignedDollars(dimensionDelta(dimension)),
  }));
}

function change({ before, after }: DimensionCost, text: (side: PricedQuantity) => string): string {
  const [was, is] = [before, after].map((side) => (side === undefined ? "-" : text(side)));
  return was === is ? `${is}` : `${was} → ${is}`;
}
