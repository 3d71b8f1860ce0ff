import { budgetNotes, notesOf, organizationNote, roundingNote, titleOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  DEFAULT_LIMIT,
  DIMENSION_COLUMNS,
  operationSigns,
  printedReport,
  printedStacks,
  type PrintedReport,
  type PrintedRow,
  type ResourceRow,
} from "./printed-report";
import type { Renderer } from "./renderer";
import type { BudgetBreach } from "./cost-document";
import { isUnchanged, stackPath, stackTitle, type CostReport, type StackOfReport } from "./report";
import { clipped, printable } from "../text/terminal-text";

/** GitHub refuses a longer comment. */
const MAX_CHARACTERS = 65_536;
const MAX_NOTES = 20;

/** The greatest numbers of a section: its rows and its notes, and the resources that show their usage. */
interface Most {
  readonly rows: number;
  readonly usage: number;
}

/** A hidden line that marks the comment of a stack. */
export function costMarker(report: StackOfReport): string {
  return `<!-- pulumi-cloudinfra cost: ${stackPath(report).map(encodeURIComponent).join("/")} -->`;
}

/**
 * The reports for pull requests, with a section for each stack and their sum, in GitHub's Markdown, which GitLab also
 * understands. A text that is too long loses its usage first. Ends with a newline.
 */
export const costMarkdown: Renderer = (reports, { overBudget = [], limit = DEFAULT_LIMIT } = {}) => {
  const together = reports.length > 1 ? [stacksSection(reports, overBudget)] : [];
  const textWith = (most: Most): string =>
    [...reports.map((report) => section(report, most)), ...together].map((text) => `${text}\n`).join("\n");
  const fits = (most: Most): boolean => textWith(most).length <= MAX_CHARACTERS;
  const most = Math.min(limit, Math.max(MAX_NOTES, ...reports.map(({ resources }) => resources.length)));
  const rows = fits({ rows: limit, usage: 0 }) ? limit : halved(most, (each) => fits({ rows: each, usage: 0 }));
  const usage = halved(Math.min(most, rows), (each) => fits({ rows, usage: each }));
  return textWith({ rows, usage });
};

/** The number, its half, its quarter, …: the first that fits, or zero. */
function halved(most: number, fits: (most: number) => boolean): number {
  return most === 0 || fits(most) ? most : halved(Math.floor(most / 2), fits);
}

function stacksSection(reports: readonly CostReport[], overBudget: readonly BudgetBreach[]): string {
  const { rows, total, exact } = printedStacks(reports);
  return [
    "### Monthly cost of all stacks",
    ...overBudgetAlert({ overBudget }),
    markdownTable([
      ["Stack", ...AMOUNT_COLUMNS],
      ...rows.map((row) => [`${markdownCode(row.label)}${row.suffix}`, ...markdownAmounts(row)]),
      [total.label, ...markdownAmounts(total)],
    ]),
    ...roundingNote({ exact }).map(markdownText),
  ].join("\n\n");
}

function section(report: CostReport, most: Most): string {
  const printed = printedReport(report, { limit: most.rows });
  const notes = notesOf({ ...report, organization: undefined }, printed);
  const shownNotes = firstOf(
    notes,
    Math.min(most.rows, MAX_NOTES),
    (note) => `- ${markdownText(note)}`,
    (count) => `- and ${count} more notes`,
  );
  const used = printed.resources.filter(({ dimensions }) => dimensions.length > 0);
  const usage = firstOf(used, most.usage, usageOf, (count) => `The usage of ${count} more is left out.`);
  return [
    costMarker(report),
    `### Monthly cost of ${markdownCode(stackTitle(report))}: ${titleOf(report, printed.total)}`,
    ...overBudgetAlert(report),
    tableOf(printed, report),
    ...(usage.length === 0 ? [] : [DETAILS_BEGIN, ...usage, "</details>"]),
    ...(shownNotes.length === 0 ? [] : [shownNotes.join("\n")]),
    ...organizationNote(report).map(markdownText),
  ].join("\n\n");
}

const DETAILS_BEGIN = "<details>\n<summary>Usage of what changes</summary>";

/** The first parts, and the number of missing ones. */
function firstOf<Part>(
  parts: readonly Part[],
  most: number,
  textOf: (part: Part) => string,
  missing: (count: number) => string,
): readonly string[] {
  const shown = parts.slice(0, most);
  return [...shown.map(textOf), ...(shown.length < parts.length ? [missing(parts.length - shown.length)] : [])];
}

function tableOf(printed: PrintedReport, report: CostReport): string {
  const { rows, total, noneKnown } = printed;
  if (!printed.hasChanges) return noneKnown ?? (isUnchanged(report) ? "Nothing changes." : "No cost changes.");
  return markdownTable([
    ["Resource", ...AMOUNT_COLUMNS],
    ...rows.map((row) => [labelOf(row), ...markdownAmounts(row)]),
    [`**${total.label}**`, ...markdownAmounts(total).map((amount) => `**${amount}**`)],
  ]);
}

/** The exceeded budgets in a box, so that nobody overlooks them. */
function overBudgetAlert(report: Pick<CostReport, "overBudget">): readonly string[] {
  const notes = budgetNotes(report).map((note) => `> - ${markdownText(note)}`);
  return notes.length === 0 ? [] : [["> [!CAUTION]", ...notes].join("\n")];
}

function labelOf({ label, resource }: PrintedRow): string {
  if (resource === undefined) return label;
  const { operation, type, name } = resource;
  const sign = operationSigns[operation].trim();
  return [...(sign === "" ? [] : [markdownCode(sign)]), markdownText(type), markdownCode(name)].join(" ");
}

function markdownAmounts({ amounts }: PrintedRow): readonly string[] {
  return amounts.map(markdownText);
}

function usageOf(row: ResourceRow): string {
  const rows = row.dimensions.map((cells) => cells.map(markdownText));
  return `${labelOf(row)}\n\n${markdownTable([DIMENSION_COLUMNS, ...rows])}`;
}

/**
 * The first column on the left, numbers on the right. Cells are not padded, because one long name would make every row
 * long.
 */
function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const alignment = head.map((_, column) => (column === 0 ? ":-" : "-:"));
  return [head, alignment, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const LONGEST = 300;

/**
 * A name as a code span of Markdown, in which there are no links, mentions or markup. The two characters that could end
 * the span or the cell of a table are replaced.
 */
export function markdownCode(text: string): string {
  const safe = clipped(printable(text), LONGEST).replaceAll("`", "ˋ").replaceAll("|", "¦").trim();
  return `\`${safe === "" ? " " : safe}\``;
}

/**
 * A sentence as Markdown. Plain words and numbers stay. Everything else goes into code spans, so a name or a reason
 * cannot break a table, write HTML, mention anybody or link anywhere.
 */
export function markdownText(text: string): string {
  const words = clipped(printable(text), LONGEST)
    .split(" ")
    .filter((word) => word !== "");
  return words.map(wordAsMarkdown).join(" ").replaceAll("` `", " ");
}

function wordAsMarkdown(word: string): string {
  if (PLAIN_WORD.test(word)) return word.replace("<", "&lt;");
  const [, body = "", end = ""] = /^(.+?)([,.:;]*)$/su.exec(word) ?? [];
  return markdownCode(body) + end;
}

/** `name,`  `(as`  `2.5`  `+$3.00/mo`  `<$0.01`  `→`  `-` */
const PLAIN_WORD = /^(?:→|-|\(?[-+]?(?:<?\$)?(?:\p{L}+(?:[-'’]\p{L}+)*|\d+(?:,\d{3})*(?:\.\d+)?(?:\/mo|%)?)[),.:;]*)$/u;
