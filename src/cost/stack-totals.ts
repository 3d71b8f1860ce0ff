import { roundingNote } from "./notes";
import { exactTotal, roundsWell, totalRow, type LabelledRow } from "./printed-report";
import { combinedReport, stackLabels, type CostReport } from "./report";
import { leastSuffix } from "./report";

/** The totals of several stacks as printed. */
export interface StackTotals {
  readonly stacks: readonly (LabelledRow & { readonly suffix: string })[];
  readonly total: LabelledRow;
  /** Says why the printed totals of the stacks do not add up to the printed sum, if so. */
  readonly notes: readonly string[];
}

/** The rows of the stacks, and their sum. */
export function stackTotals(reports: readonly CostReport[]): StackTotals {
  const all = combinedReport(reports);
  const labels = stackLabels(reports);
  return {
    stacks: reports.map((report, index) => ({
      ...totalRow(report),
      label: labels[index] ?? "",
      suffix: leastSuffix(report),
    })),
    total: totalRow(all),
    notes: roundsWell(reports.map(({ before, after }) => [before, after])) ? [] : [roundingNote(exactTotal(all))],
  };
}
