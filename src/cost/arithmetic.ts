import type { Cost } from "./cost";
import { decimal, exactDollars, sum } from "./money";

/**
 * Where a quote does not add up: what its dimensions sum to, and what it says the total is. (Quantity times unit price is
 * not looked at: the specification does not say what period a unit price is for.)
 */
export function misadded(cost: Cost | undefined, side: string): readonly string[] {
  if (cost === undefined || cost.usageDimensions.length === 0) return [];
  const added = sum(cost.usageDimensions.map(({ monthlyAmount }) => decimal(monthlyAmount)));
  const total = decimal(cost.monthlyTotal);
  if (added.equals(total)) return [];
  return [
    `the quote ${side} does not add up: its dimensions come to ${exactDollars(added)}/mo, its total is ${exactDollars(total)}/mo`,
  ];
}
