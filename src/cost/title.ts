import { percentText } from "./money";
import type { PrintedAmounts } from "./printed-report";
import { isLeast, isUnchanged, unknownCount, type CostReport } from "./report";

/**
 * The report in one line: `+$234.38, +300% ($78.13 → $312.50)`. "Unchanged" includes the resources. Unknown costs are counted.
 * `per` follows each amount, such as `/mo`.
 */
export function titleOf(report: CostReport, total: PrintedAmounts, per = ""): string {
  const unknown = unknownCount(report);
  const and = unknown === 0 ? "" : ` and ${unknown} unknown`;
  if (isUnchanged(report)) return `${total.after}${per}${and}, unchanged`;
  const percent = percentText(report.delta, report.before);
  const least = (side: "before" | "after"): string => (isLeast(report, side) ? "at least " : "");
  const difference = `${total.difference}${per}${percent === undefined ? "" : `, ${percent}`}${and}`;
  return `${difference} (${least("before")}${total.before}${per} → ${least("after")}${total.after}${per})`;
}
