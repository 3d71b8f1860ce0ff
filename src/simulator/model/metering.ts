import type { Decimal } from "./decimal";

/** A month of a price: 30 days. */
export const hoursPerMonth = 720;

/**
 * The instant in millionths of an hour, in which usage is metered. Each instant is rounded for itself, once: so the parts
 * of a time add up to the whole, wherever a day, a month or a price ends.
 */
export function meteredInstant(epochMs: number): number {
  return Math.round(epochMs / 3.6);
}

/** Hours of a number of metered parts of them. */
export function hoursOf(metered: Decimal): Decimal {
  return metered.dividedBy(1_000_000);
}

/** The hourly price of a monthly price. Only this function rounds money. Results computed from it are exact. */
export function hourlyPrice(monthlyPrice: Decimal): Decimal {
  return monthlyPrice.dividedBy(hoursPerMonth).toDecimalPlaces(10);
}
