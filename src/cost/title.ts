import type { FoldedRows } from "./printed-report";
import type { CostReport } from "./report";

/** What stands behind the name of a sum that is not all of it. */
export function leastSuffix({ atLeast }: Pick<CostReport, "atLeast">): string {
  return atLeast ? ", at least" : "";
}

/** The report in one line: `+$234.37 ($78.13 → $312.50)`. `per` stands behind each amount, such as `/mo`. */
export function titleOf({ delta, atLeast }: CostReport, total: Omit<FoldedRows, "count">, per = ""): string {
  const least = atLeast ? "at least " : "";
  if (delta.isZero()) return `${least}${total.after}${per}, unchanged`;
  return `${total.difference}${per} (${least}${total.before}${per} → ${least}${total.after}${per})`;
}
