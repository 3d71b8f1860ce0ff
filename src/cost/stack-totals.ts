import { roundingNote } from "./notes";
import { exactTotal, roundsWell } from "./printed-report";
import { combinedReport, type CostReport } from "./report";

/** Says why the printed sums of several stacks do not add up to the printed total, if so. */
export function footnotes(reports: readonly CostReport[]): readonly string[] {
  const isRound = roundsWell(reports.map(({ before, after }) => [before, after]));
  return isRound ? [] : [roundingNote(exactTotal(combinedReport(reports)))];
}
