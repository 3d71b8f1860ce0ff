import { printable } from "../terminal-text";
import { dollars } from "./money";
import { printedReport, type PrintedReport } from "./printed-report";
import type { CostReport, OrganizationCost } from "./report";

/** The report in one line: `+$234.38/mo: $78.12/mo → $312.50/mo`. */
export function headline(report: CostReport, { total } = printedReport(report)): string {
  const least = report.atLeast ? "at least " : "";
  if (report.delta.isZero()) return `${least}${total.after}/mo, unchanged`;
  return `${total.difference}/mo: ${least}${total.before}/mo → ${least}${total.after}/mo`;
}

/** What has to be known beside the rows, a sentence each. Names and reasons are fit for a terminal. */
export function notesOf(report: CostReport, printed: PrintedReport): readonly string[] {
  return [
    ...(printed.exact === undefined ? [] : [`exactly ${printed.exact}: the rows above are in whole cents`]),
    ...unknownNotes(printed),
    ...notOfferedNote(printed.notOffered),
    ...lateNote(report.notCounted),
    ...report.resources.flatMap(({ type, name, warnings }) =>
      warnings.map((warning) => printable(`warning: ${type} ${name}: ${warning}`)),
    ),
    ...(report.isPartial ? ["partial: only the targeted resources were looked at"] : []),
    ...(report.organization ? [organizationNote(report.organization)] : []),
  ];
}

function unknownNotes({ unknown }: PrintedReport): readonly string[] {
  return unknown.map(({ type, name, reason }) =>
    printable(`cost unknown: ${type} ${name}${reason === undefined ? "" : `: ${reason}`}`),
  );
}

function notOfferedNote(counts: ReadonlyMap<string, number>): readonly string[] {
  if (counts.size === 0) return [];
  const parts = [...counts].map(([type, count]) => `${count} ${type}${count === 1 ? "" : "s"}`);
  return [`not counted, as the service offers no quote: ${parts.join(", ")}`];
}

function lateNote(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [
    printable(`not counted, as they were declared or came after everything else was registered: ${names.join(", ")}`),
  ];
}

function organizationNote({ before, after, balance, runwayMonths }: OrganizationCost): string {
  const parts = [
    `the organization, estimated: ${dollars(before)}/mo now → ${dollars(after)}/mo`,
    ...(balance ? [`balance ${dollars(balance)}`] : []),
    ...(runwayMonths ? [`which lasts ${runwayMonths.toDecimalPlaces(1).toFixed()} months at the present cost`] : []),
  ];
  return parts.join(", ");
}
