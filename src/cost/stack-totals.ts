import { roundingNote } from "./notes";
import { exactTotal, roundsWell } from "./printed-report";
import { combinedReport, type CostReport } from "./report";

/** Why what is printed of several stacks does not add up to what is printed of all, if it does not. */
export function footnotes(reports: readonly CostReport[]): readonly string[] {
  const isRound = roundsWell(reports.map(({ before, after }) => [before, after]));
  return isRound ? [] : [roundingNote(exactTotal(combinedReport(reports)))];
}
