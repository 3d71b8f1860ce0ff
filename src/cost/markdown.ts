import type * as MarkdownTable from "markdown-table";
import { budgetNotes, notesOf, organizationNote, roundingNote, titleOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  DIMENSION_COLUMNS,
  operationSigns,
  printedReport,
  printedStacks,
  type PrintedReport,
  type PrintedRow,
  type PrintOptions,
  type ResourceRow,
} from "./printed-report";
import type { Renderer } from "./renderer";
import type { BudgetBreach } from "./cost-document";
import { isUnchanged, stackTitle, type CostReport } from "./report";
import { clipped, printable } from "../text/terminal-text";

/** GitHub refuses a longer comment. */
const MAX_CHARACTERS = 65_536;
const MOST_NOTES = 20;
/** The share of the text that the table may use before the other parts are added. */
const TABLE_SHARE = 0.6;

/** A hidden line that marks the comment of a stack. */
export function costMarker({ project, stack }: Pick<CostReport, "project" | "stack">): string {
  return `<!-- pulumi-cloudinfra cost: ${encodeURIComponent(project)}/${encodeURIComponent(stack)} -->`;
}

/**
 * The reports for pull requests, with a section for each stack and their sum, in GitHub's Markdown, which GitLab also understands.
 * Ends with a newline.
 */
export const costMarkdown: Renderer = (reports, { maxCharacters = MAX_CHARACTERS, overBudget = [], limit } = {}) => {
  const together = reports.length > 1 ? [stacksSection(reports, overBudget)] : [];
  const share = Math.floor((maxCharacters - together.join().length) / Math.max(reports.length, 1)) - 2;
  return [...reports.map((report) => section(report, { limit }, share)), ...together]
    .map((text) => `${text}\n`)
    .join("\n");
};

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

function section(report: CostReport, options: PrintOptions, maxCharacters: number): string {
  const { printed, table } = tableWithin(report, options, maxCharacters * TABLE_SHARE);
  const head = [
    costMarker(report),
    `### Monthly cost of ${markdownCode(stackTitle(report))}: ${titleOf(report, printed.total)}`,
    ...overBudgetAlert(report),
  ];
  const organization = organizationNote(report).map(markdownText);
  let room = maxCharacters - [...head, ...table, ...organization].join("\n\n").length;

  const notes = notesOf({ ...report, organization: undefined }, printed).map((note) => `- ${markdownText(note)}`);
  const shownNotes = partsThatFit(
    notes.slice(0, MOST_NOTES),
    notes.length,
    room / 2,
    (count) => `- and ${count} more notes`,
  );
  room -= shownNotes.join("\n").length;

  const details = printed.resources.flatMap(detailsOf);
  const shownDetails = partsThatFit(
    details,
    details.length,
    room - 200,
    (count) => `The usage of ${count} more is left out.`,
  );
  return [
    ...head,
    ...table,
    ...(shownDetails.length === 0 ? [] : [DETAILS_BEGIN, ...shownDetails, "</details>"]),
    ...(shownNotes.length === 0 ? [] : [shownNotes.join("\n")]),
    ...organization,
  ].join("\n\n");
}

const DETAILS_BEGIN = "<details>\n<summary>Usage of what changes</summary>";

/** The table with as many rows as fit. The others share the row "and N more". */
function tableWithin(
  report: CostReport,
  options: PrintOptions,
  maxCharacters: number,
): { readonly printed: PrintedReport; readonly table: readonly string[] } {
  const printed = printedReport(report, options);
  const table = tableOf(printed, report);
  const isTooLong = table.join("\n\n").length > maxCharacters && printed.resources.length > 0;
  return isTooLong
    ? tableWithin(report, { limit: Math.floor(printed.resources.length / 2) }, maxCharacters)
    : { printed, table };
}

function tableOf(printed: PrintedReport, report: CostReport): readonly string[] {
  const { rows, total } = printed;
  if (!printed.hasChanges) return [withoutRows(printed, report)];
  return [
    markdownTable([
      ["Resource", ...AMOUNT_COLUMNS],
      ...rows.map((row) => [labelOf(row), ...markdownAmounts(row)]),
      [`**${total.label}**`, ...markdownAmounts(total).map((amount) => `**${amount}**`)],
    ]),
  ];
}

function withoutRows({ rows, free }: PrintedReport, report: CostReport): string {
  if (rows.length === 0 && free.size === 0) return "No resource with a known cost.";
  return isUnchanged(report) ? "Nothing changes." : "No cost changes.";
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

function detailsOf(row: ResourceRow): readonly string[] {
  const rows = row.dimensions.map((cells) => cells.map(markdownText));
  return rows.length === 0 ? [] : [`${labelOf(row)}\n\n${markdownTable([DIMENSION_COLUMNS, ...rows])}`];
}

/** As many parts as fit, and the number of missing ones. */
function partsThatFit(
  parts: readonly string[],
  count: number,
  room: number,
  missing: (count: number) => string,
): readonly string[] {
  const separator = 2;
  let left = room - missing(count).length - separator;
  const shown: string[] = [];
  for (const part of parts) {
    left -= part.length + separator;
    if (left < 0) break;
    shown.push(part);
  }
  return shown.length === count ? shown : [...shown, missing(count - shown.length)];
}

/**
 * The first column on the left, numbers on the right. Cells are not padded, because one long name would make every row long.
 */
function markdownTable(rows: readonly (readonly string[])[]): string {
  // Loaded here, because it is an ES module that only reports for pull requests need.
  const library = require("markdown-table") as typeof MarkdownTable;
  const align = (rows[0] ?? []).map((_, column) => (column === 0 ? "l" : "r"));
  return library.markdownTable(rows, { align, alignDelimiters: false });
}

const LONGEST = 300;

/**
 * A name as a code span of Markdown, in which there are no links, mentions or markup. The two characters that could end the span or
 * the cell of a table are replaced.
 */
export function markdownCode(text: string): string {
  const safe = clipped(printable(text), LONGEST).replaceAll("`", "ˋ").replaceAll("|", "¦").trim();
  return `\`${safe === "" ? " " : safe}\``;
}

/**
 * A sentence as Markdown. Plain words and numbers stay. Everything else goes into code spans, so a name or a reason cannot
 * break a table, write HTML, mention anybody or link anywhere.
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
