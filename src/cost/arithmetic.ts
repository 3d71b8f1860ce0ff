import type { Cost } from "./cost";
import { decimal, exactDollars, sum } from "./money";

/**
 * Says so if a quote does not add up: the sum of its dimensions, and its total. (Quantity times unit price is not checked,
 * because the specification does not say the period of a unit price.)
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
