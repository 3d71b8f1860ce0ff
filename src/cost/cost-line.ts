import type { Decimal } from "decimal.js";
import { NEVER_QUOTED, type CostPair, type CostSide, type MissingQuote } from "./cost";
import { decimal, dollars, signedDollars } from "./money";

export type LineSubject = "new" | "existing";

/**
 * The cost line of a resource: `+$312.50/mo`, or before, after and difference, or `$312.50/mo as before`. Undefined for
 * a resource that costs nothing before and after. Reports only count such resources.
 */
export function costLine({ before, after, lastQuoted }: CostPair, subject: LineSubject): string | undefined {
  const [was, will] = [quotedTotal(before), quotedTotal(after)];
  if (will === undefined) return missingQuoteLine(after.unpriced ?? NEVER_QUOTED);
  if (will.isZero() && (subject === "new" || was?.isZero() === true) && lastQuoted === undefined) return undefined;
  if (subject === "new") return `${signedDollars(will)}/mo`;
  if (was === undefined)
    return `${dollars(will)}/mo, cost before unknown: ${missingQuoteText(before?.unpriced ?? NEVER_QUOTED)}`;
  const line = was.equals(will) ? `${dollars(was)}/mo as before` : changeLine(was, will);
  if (lastQuoted === undefined) return line;
  // The program has not caused the change of a price.
  return `${line}; its price has moved since the last quote: ${changeLine(decimal(lastQuoted.monthlyTotal), was)}`;
}

/** Before, after and difference: `$100.00/mo → $312.50/mo (+$212.50/mo)`. */
function changeLine(before: Decimal, after: Decimal): string {
  return `${dollars(before)}/mo → ${dollars(after)}/mo (${signedDollars(after.minus(before))}/mo)`;
}

function missingQuoteLine(quote: MissingQuote): string {
  const text = missingQuoteText(quote);
  if (quote.status === "unknown") return `cost unknown: ${text}`;
  return quote.billedFor === undefined ? text : `${text}, but ${quote.billedFor} is not free`;
}

/** Why there is no price. */
export function missingQuoteText(quote: MissingQuote): string {
  return quote.status === "notOffered" ? "no quote offered for this kind of resource" : quote.reason;
}

function quotedTotal(side: CostSide | undefined): Decimal | undefined {
  return side?.cost && decimal(side.cost.monthlyTotal);
}
