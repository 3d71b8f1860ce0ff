import { Decimal } from "decimal.js";

const CENTS = 2;

/** Sums keep every digit. The library's default would round to 20 digits. */
const Exact = Decimal.clone({ precision: 1_000 });

/** A decimal of the API, exact. Results computed from it are exact too. */
export function decimal(amount: string): Decimal {
  return new Exact(amount);
}

export function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), decimal("0"));
}

/**
 * The exact text of an amount for states and reports, without an exponent and at least with cents: `312.50`, as the API
 * writes it.
 */
export function decimalText(amount: Decimal): string {
  return amount.toFixed(Math.max(amount.decimalPlaces(), CENTS));
}

/** An amount in whole cents, rounded half up. This is the only place that rounds money. */
export function cents(amount: Decimal): Decimal {
  return amount.toDecimalPlaces(CENTS, Decimal.ROUND_HALF_UP);
}

/** An amount rounded to cents: `$1,312.50`, `-$3.00`. An amount that would round to zero is `<$0.01`. */
export function dollars(amount: Decimal): string {
  return signOf(amount, "") + unsigned(amount.abs());
}

/** An amount with its sign: `+$312.50`, `-$3.00`, `+$0.00`. */
export function signedDollars(amount: Decimal): string {
  return signOf(amount, "+") + unsigned(amount.abs());
}

/** An amount with all its digits, at least cents: `$1.5625`, `$78.00`. */
export function exactDollars(amount: Decimal): string {
  return `${signOf(amount, "")}$${exactText(amount)}`;
}

/** As `exactDollars`, with a sign also for a positive amount: `+$1.5625`. */
export function exactSignedDollars(amount: Decimal): string {
  return `${signOf(amount, "+")}$${exactText(amount)}`;
}

/**
 * A difference as a percentage of the cost before: `+150%`, `-0.4%`. Undefined if there was no cost, or no difference.
 */
export function percentText(difference: Decimal, before: Decimal): string | undefined {
  if (!before.greaterThan(0) || difference.isZero()) return undefined;
  const size = difference.abs().times(100).dividedBy(before).toDecimalPlaces(1, Decimal.ROUND_HALF_UP);
  return `${signOf(difference, "+")}${size.isZero() ? "<0.1" : grouped(size.toFixed())}%`;
}

function signOf(amount: Decimal, positive: "" | "+"): string {
  return amount.isNegative() && !amount.isZero() ? "-" : positive;
}

function exactText(amount: Decimal): string {
  return grouped(decimalText(amount.abs()));
}

/** `1234567.5` as `1,234,567.5`. */
function grouped(text: string): string {
  const [whole = "", ...fraction] = text.split(".");
  return [whole.replace(/\B(?=(\d{3})+$)/g, ","), ...fraction].join(".");
}

function unsigned(amount: Decimal): string {
  const rounded = cents(amount);
  return rounded.isZero() && !amount.isZero() ? "<$0.01" : `$${grouped(rounded.toFixed(CENTS))}`;
}
