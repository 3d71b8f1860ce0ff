import type { FoldedRows } from "./printed-report";
import type { CostReport } from "./report";

/** The report in a heading: `+$234.37 ($78.13 → $312.50)`. */
export function titleOf({ delta, atLeast }: CostReport, total: Omit<FoldedRows, "count">): string {
  const least = atLeast ? "at least " : "";
  if (delta.isZero()) return `${least}${total.after}, unchanged`;
  return `${total.difference} (${least}${total.before} → ${least}${total.after})`;
}
