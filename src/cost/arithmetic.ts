import type { Cost } from "./cost";
import { decimal, decimalText, sum } from "./money";

/**
 * Where a quote does not add up: what its dimensions sum to, and what it says the total is. (Quantity times unit price is
 * not looked at: the specification does not say what period a unit price is for.)
 */
export function misadded(cost: Cost | undefined, side: string): readonly string[] {
  if (cost === undefined || cost.usageDimensions.length === 0) return [];
  const added = sum(cost.usageDimensions.map(({ monthlyAmount }) => decimal(monthlyAmount)));
  if (added.equals(decimal(cost.monthlyTotal))) return [];
  return [
    `the quote ${side} does not add up: its dimensions come to $${decimalText(added)}/mo, its total is $${cost.monthlyTotal}/mo`,
  ];
}
