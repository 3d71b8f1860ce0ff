import type { Decimal } from "decimal.js";
import { printable } from "../terminal-text";
import { dollars, signedDollars, sum } from "./money";
import type { PrintedReport } from "./printed-report";
import { isUnchanged, type CostOperation, type CostReport, type OrganizationCost, type ResourceCost } from "./report";

/** The notes beside the rows, one sentence each. Names and reasons are safe for a terminal. */
export function notesOf(report: CostReport, printed: PrintedReport): readonly string[] {
  return [
    ...(isUnchanged(report) ? [] : freeNote(printed.free)),
    ...(printed.exact === undefined ? [] : [roundingNote(printed.exact)]),
    ...unknownNotes(printed),
    ...notOfferedNote(printed.notOffered),
    ...caveatsOf(report),
    ...(report.organization ? [organizationNote(report.organization)] : []),
  ];
}

/** Says why rounded rows differ from the total by a cent. */
export function roundingNote(exact: string): string {
  return `rounded one by one, the amounts do not add up to the cent: the total is exactly ${exact}`;
}

/** The operation on a resource, in one word. */
export const operationWords: Readonly<Record<CostOperation, string>> = {
  create: "new",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  same: "unchanged",
};

/** `32 resources cost nothing: 30 new, 2 unchanged`. */
export function freeNote(free: ReadonlyMap<CostOperation, number>): readonly string[] {
  const count = [...free.values()].reduce((sum, each) => sum + each, 0);
  if (count === 0) return [];
  const words = Object.keys(operationWords) as CostOperation[];
  const parts = words.flatMap((operation) => {
    const each = free.get(operation);
    return each === undefined ? [] : [`${each} ${operationWords[operation]}`];
  });
  return [`${count} ${count === 1 ? "resource costs" : "resources cost"} nothing: ${parts.join(", ")}`];
}

/** The exceeded budgets, one sentence each, which come first. `stack` names their owner, if necessary. */
export function budgetNotes({ overBudget }: Pick<CostReport, "overBudget">, stack?: string): readonly string[] {
  return overBudget.map(({ source, isAdvisory, reason }) => {
    const whose = source === undefined ? "" : ` (${source}${isAdvisory ? ", advisory" : ""})`;
    return printable(["over budget", ...(stack === undefined ? [] : [stack]), `${reason}${whose}`].join(": "));
  });
}

/** Notes that follow neither from amounts nor from statuses, one sentence each. */
export function caveatsOf(report: CostReport): readonly string[] {
  return [
    ...lateNote(report.notCounted),
    ...remainsNotes(report.resources),
    ...movedNote(report.resources),
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
    ...(adopted === "" ? [] : [`adopted, so its present cost counts as before: ${adopted}`]),
    ...(retained === "" ? [] : [`stays at the service (retainOnDelete), so nothing is saved: ${retained}`]),
  ].map(printable);
}

/** The number of resources that a note names. */
const NAMED = 3;

/** The effect of moved prices, which is no part of the differences. */
function movedNote(resources: readonly ResourceCost[]): readonly string[] {
  const moved = resources.flatMap(({ type, name, before, lastQuoted }) =>
    before && lastQuoted ? [{ name: `${type} ${name}`, before, lastQuoted }] : [],
  );
  if (moved.length === 0) return [];
  const added = sum(moved.map(({ before, lastQuoted }) => before.minus(lastQuoted)));
  const named = moved
    .slice(0, NAMED)
    .map(({ name, before, lastQuoted }) => `${name} ${dollars(lastQuoted)}/mo → ${dollars(before)}/mo`);
  const others = moved.length > NAMED ? ` and ${moved.length - NAMED} more` : "";
  return [
    printable(
      `prices have moved since the last quotes: ${signedDollars(added)}/mo, not part of the difference: ${named.join(", ")}${others}`,
    ),
  ];
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
  return [`not included (the service offers no quote): ${parts.join(", ")}`];
}

function lateNote(names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  return [printable(`not included (registered too late): ${names.join(", ")}`)];
}

/** The organization's bill in a sentence. */
export function organizationNote(organization: OrganizationCost): string {
  const { before, after, balance } = organization;
  const parts = [
    `the organization, estimated: ${dollars(before)}/mo now → ${dollars(after)}/mo`,
    ...(balance ? [`balance ${dollars(balance)}`] : []),
    ...runwayNote(organization),
  ];
  return parts.join(", ");
}

/** The service says how long the balance lasts at the present cost. At another cost, the same balance lasts in proportion. */
function runwayNote({ before, after, runwayMonths }: OrganizationCost): readonly string[] {
  if (runwayMonths === undefined) return [];
  const months = (number: Decimal): string => number.toDecimalPlaces(1).toFixed();
  const present = `which lasts ${months(runwayMonths)} months at the present cost`;
  if (after.equals(before) || !after.greaterThan(0)) return [present];
  return [present, `${months(runwayMonths.times(before).dividedBy(after))} at the new one`];
}
