import type { CostOperation, ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { listed, printable } from "../text/terminal-text";
import { dollars, percentText, signedDollars, sum } from "./money";
import type { PrintedReport, PrintedRow } from "./printed-report";
import { isLeast, isUnchanged, NAMED, unknownCount, type CostReport, type OrganizationCost } from "./report";

/** The notes beside the rows, one sentence each. Names and reasons are safe for a terminal. */
export function notesOf(report: CostReport, printed: PrintedReport): readonly string[] {
  return [
    ...(isUnchanged(report) ? [] : freeNote(printed.free)),
    ...roundingNote(printed),
    ...unknownNotes(printed),
    ...notOfferedNote(printed.notOffered),
    ...caveatsOf(report),
    ...organizationNote(report),
  ];
}

/** Says why rounded rows differ from the total by a cent, if they do. */
export function roundingNote({ exact }: Pick<PrintedReport, "exact">): readonly string[] {
  if (exact === undefined) return [];
  return [`rounded one by one, the amounts do not add up to the cent: the total is exactly ${exact}`];
}

export const operationWords: Readonly<Record<CostOperation, string>> = {
  create: "new",
  update: "updated",
  replace: "replaced",
  delete: "deleted",
  same: "unchanged",
};

/** `32 resources cost nothing: 30 new, 2 unchanged`. */
function freeNote(free: ReadonlyMap<CostOperation, number>): readonly string[] {
  const count = [...free.values()].reduce((sum, each) => sum + each, 0);
  const words = Object.entries(operationWords) as [CostOperation, string][];
  const parts = words.flatMap(([operation, word]) => (free.has(operation) ? [`${free.get(operation)} ${word}`] : []));
  return noteOn(parts, (each) => `${count} ${count === 1 ? "resource costs" : "resources cost"} nothing: ${each}`);
}

function noteOn(texts: readonly string[], note: (joined: string) => string): readonly string[] {
  return texts.length === 0 ? [] : [note(texts.join(", "))];
}

/** One sentence for each exceeded budget. They come before all other notes. `stack` names their owner, if necessary. */
export function budgetNotes({ overBudget }: Pick<CostReport, "overBudget">, stack?: string): readonly string[] {
  return overBudget.map(({ limit, source, enforce, reason }) => {
    const whose = source === "" ? "" : ` (${source}${enforce === "advisory" ? ", advisory" : ""})`;
    const parts = [limit === "approved" ? "not approved" : "over budget", ...(stack === undefined ? [] : [stack])];
    return printable([...parts, `${reason}${whose}`].join(": "));
  });
}

/** Notes that follow neither from amounts nor from statuses, one sentence each. */
export function caveatsOf({ resources, notCounted, isPartial, remarks }: CostReport): readonly string[] {
  const named = (remains: ResourceCost["remains"]): readonly string[] =>
    resources.filter((resource) => resource.remains === remains).map(({ type, name }) => `${type} ${name}`);
  return [
    ...noteOn(notCounted, (names) => `not included (registered too late, or failed): ${names}`),
    ...resources.flatMap(({ type, name, billedFor }) =>
      billedFor === undefined ? [] : [`not included, and not free: ${type} ${name}: ${billedFor}`],
    ),
    ...noteOn(named("adopted"), (names) => `adopted, so its present cost counts as before: ${names}`),
    ...noteOn(named("retained"), (names) => `kept at the API (retainOnDelete), so it still costs money: ${names}`),
    ...movedNote(resources),
    ...resources.flatMap(({ type, name, warnings }) =>
      warnings.map((warning) => `warning: ${type} ${name}: ${warning}`),
    ),
    ...(isPartial ? ["partial: only the targeted resources were looked at"] : []),
    ...remarks,
  ].map(printable);
}

/** The effect of moved prices, which is not part of the differences. */
function movedNote(resources: readonly ResourceCost[]): readonly string[] {
  const moved = resources.flatMap(({ type, name, before, lastQuoted }) =>
    before && lastQuoted ? [{ name: `${type} ${name}`, before, lastQuoted }] : [],
  );
  if (moved.length === 0) return [];
  const added = signedDollars(sum(moved.map(({ before, lastQuoted }) => before.minus(lastQuoted))));
  const named = moved.map(
    ({ name, before, lastQuoted }) => `${name} ${dollars(lastQuoted)}/mo → ${dollars(before)}/mo`,
  );
  return [`prices have moved since the last quotes: ${added}/mo, not part of the difference: ${listed(named, NAMED)}`];
}

function unknownNotes({ unknown, moreUnknown }: PrintedReport): readonly string[] {
  const notes = unknown.map(({ type, names, reason }) =>
    printable(`cost unknown: ${type} ${listed(names, NAMED)}${reason === undefined ? "" : `: ${reason}`}`),
  );
  return moreUnknown === 0 ? notes : [...notes, `cost unknown: ${moreUnknown} more`];
}

function notOfferedNote(counts: ReadonlyMap<string, number>): readonly string[] {
  const parts = [...counts].map(([type, count]) => `${count} ${type}${count === 1 ? "" : "s"}`);
  return noteOn(parts, (types) => `not included (the API offers no quote): ${types}`);
}

/** The organization's bill in a sentence, if it is known. Unknown costs of changes are counted, as in the title. */
export function organizationNote({ organization, resources, notCounted }: CostReport): readonly string[] {
  if (organization === undefined) return [];
  const { balance } = organization;
  const unknown = unknownCount({ resources: resources.filter(({ operation }) => operation !== "same"), notCounted });
  const [before, after] = [organization.before, organization.after].map((amount) => `${dollars(amount)}/mo`);
  const parts = [
    `the organization, estimated: ${before === after ? after : `${before} now → ${after}`}${unknown > 0 ? ` and ${unknown} unknown` : ""}`,
    ...(balance ? [`balance ${dollars(balance)}`] : []),
    ...runwayNote(organization, unknown === 0),
  ];
  return [parts.join(", ")];
}

/**
 * How long the balance lasts. The API says it for the present cost. For another cost, the time changes in proportion.
 */
function runwayNote({ before, after, runwayMonths }: OrganizationCost, isKnown: boolean): readonly string[] {
  if (runwayMonths === undefined) return [];
  const [now, unit] = durationOf(runwayMonths);
  const present = `which lasts ${now} ${unit} at the present cost`;
  if (!isKnown || !after.greaterThan(0)) return [present];
  const [then, unitThen] = durationOf(runwayMonths.times(before).dividedBy(after));
  if (then === now && unitThen === unit) return [present];
  return [present, `${unitThen === unit ? then : `${then} ${unitThen}`} at the new one`];
}

/** From this many months on, years are shown. */
const YEARS_FROM = 24;
/** The longest time to show, because a bill cannot be predicted for longer. */
const MAX_MONTHS = 120;

/** `9.5` and `months`, `3.2` and `years`, `more than 10` and `years`. */
function durationOf(months: Decimal): readonly [number: string, unit: string] {
  if (months.greaterThan(MAX_MONTHS)) return [`more than ${MAX_MONTHS / 12}`, "years"];
  const [number, unit] = months.lessThan(YEARS_FROM) ? [months, "month"] : [months.dividedBy(12), "year"];
  const text = number.toDecimalPlaces(1).toFixed();
  return [text, text === "1" ? unit : `${unit}s`];
}

/**
 * The report in one line: `+$234.38, +300% ($78.13 → $312.50)`, or `$312.50 as before` if resources change at the same
 * cost, or `$312.50, unchanged` if no resource changes. It has the number of unknown costs. `per` follows each amount,
 * such as `/mo`.
 */
export function titleOf(report: CostReport, { amounts: [before, after, difference] }: PrintedRow, per = ""): string {
  const unknown = unknownCount(report);
  const and = unknown === 0 ? "" : ` and ${unknown} unknown`;
  if (isUnchanged(report)) return `${after}${per}${and}, unchanged`;
  if (report.delta.isZero() && unknown === 0) return `${after}${per} as before`;
  const percent = percentText(report.delta, report.before);
  const least = (side: "before" | "after"): string => (isLeast(report, side) ? "at least " : "");
  const change = `${difference}${per}${percent === undefined ? "" : `, ${percent}`}${and}`;
  return `${change} (${least("before")}${before}${per} → ${least("after")}${after}${per})`;
}
