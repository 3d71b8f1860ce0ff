import type { Decimal } from "decimal.js";
import type { Cost, Quote, Unpriced } from "./cost";
import { cents, decimal, dollars, signedDollars } from "./money";

/** The cost line of a new resource: `+$312.50/mo`. */
export function createLine(quote: Quote): string {
  return quote.status === "priced" ? `${signedDollars(decimal(quote.cost.monthlyTotal))}/mo` : unpriced(quote);
}

/** The cost line of an object that is taken over: it costs what it has cost. */
export function adoptLine(quote: Quote): string {
  return quote.status === "priced" ? `${dollars(decimal(quote.cost.monthlyTotal))}/mo as before` : unpriced(quote);
}

/** The cost line of a replacement: the old object's last cost goes, the new quote comes. */
export function replaceLine(before: Cost | undefined, quote: Quote): string {
  if (quote.status !== "priced") return unpriced(quote);
  const after = decimal(quote.cost.monthlyTotal);
  return before === undefined
    ? `${dollars(after)}/mo, cost before unknown: it was never quoted`
    : changeLine(decimal(before.monthlyTotal), after);
}

/** Before, after and difference, as printed: `$100.00/mo → $312.50/mo (+$212.50/mo)`. */
export function changeLine(before: Decimal, after: Decimal): string {
  // The difference of what is printed: people add these numbers up.
  const difference = cents(after).minus(cents(before));
  return `${dollars(before)}/mo → ${dollars(after)}/mo (${signedDollars(difference)}/mo)`;
}

/** The words for a quote that is none. */
export function unpriced(quote: Unpriced): string {
  return quote.status === "notOffered" ? "no quote offered for this kind of resource" : `cost unknown: ${quote.reason}`;
}
