import { printable } from "../terminal-text";
import { dollars } from "./money";
import type { PrintedReport } from "./printed-report";
import type { CostReport, OrganizationCost, ResourceCost } from "./report";

/** What has to be known beside the rows, a sentence each. Names and reasons are fit for a terminal. */
export function notesOf(report: CostReport, printed: PrintedReport): readonly string[] {
  return [
    ...(printed.exact === undefined ? [] : [`exactly ${printed.exact}: the rows above are in whole cents`]),
    ...unknownNotes(printed),
    ...notOfferedNote(printed.notOffered),
    ...caveatsOf(report),
    ...(report.organization ? [organizationNote(report.organization)] : []),
  ];
}

/** What neither amounts nor statuses say of a report, a sentence each. */
export function caveatsOf(report: CostReport): readonly string[] {
  return [
    ...lateNote(report.notCounted),
    ...remainsNotes(report.resources),
    ...report.resources.flatMap(({ type, name, warnings }) =>
      warnings.map((warning) => printable(`warning: ${type} ${name}: ${warning}`)),
    ),
    ...(report.isPartial ? ["partial: only the targeted resources were looked at"] : []),
    ...report.remarks.map(printable),
  ];
}

function remainsNotes(resources: readonly ResourceCost[]): readonly string[] {
  const named = (remains: ResourceCost["remains"]): string =>
    resources
      .filter((resource) => resource.remains === remains)
      .map(({ type, name }) => `${type} ${name}`)
      .join(", ");
  const [adopted, retained] = [named("adopted"), named("retained")];
  return [
    ...(adopted === "" ? [] : [`adopted, so it costs nothing that it did not cost before: ${adopted}`]),
    ...(retained === "" ? [] : [`stays at the service (retainOnDelete), so nothing is saved: ${retained}`]),
  ].map(printable);
}

function unknownNotes({ unknown, moreUnknown }: PrintedReport): readonly string[] {
  const notes = unknown.map(({ type, name, reason }) =>
    printable(`cost unknown: ${type} ${name}${reason === undefined ? "" : `: ${reason}`}`),
  );
  return moreUnknown === 0 ? notes : [...notes, `cost unknown: ${moreUnknown} more`];
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

/** The organization's bill, in a sentence. */
export function organizationNote({ before, after, balance, runwayMonths }: OrganizationCost): string {
  const parts = [
    `the organization, estimated: ${dollars(before)}/mo now → ${dollars(after)}/mo`,
    ...(balance ? [`balance ${dollars(balance)}`] : []),
    ...(runwayMonths ? [`which lasts ${runwayMonths.toDecimalPlaces(1).toFixed()} months at the present cost`] : []),
  ];
  return parts.join(", ");
}
