import { COLUMN_GAP, columnsTable } from "../text/terminal-table";
import { clippedMiddle, printable, wrapped } from "../text/terminal-text";
import { budgetNotes, notesOf, roundingNote, titleOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  DIMENSION_COLUMNS,
  directionOf,
  operationSigns,
  printedReport,
  printedStacks,
  type PrintedRow,
} from "./printed-report";
import { labelStacks, type CostReport } from "./report";
import type { RenderOptions } from "./renderer";

/**
 * The report as a table: the summary line, the changes, the total and the notes. Ends without a newline. The summary
 * never wraps, because a row shows one line.
 */
export function costTable(report: CostReport, options: RenderOptions = {}): string {
  const { width } = options;
  const printed = printedReport(report, options);
  const isEmpty = report.resources.length === 0 && report.notCounted.length === 0;
  return [
    isEmpty ? "No resource with a cost." : titleOf(report, printed.total, "/mo"),
    ...budgetNotes(report).map((note) => wrapped(note, width)),
    ...(printed.hasChanges ? [amountsTable("cost per month", [...printed.rows, printed.total], options)] : []),
    ...notesOf(report, printed).map((note) => wrapped(note, width)),
  ].join("\n");
}

const NARROWEST_LABEL = 20;
const [AMOUNTS, [, ...DIMENSION]] = [AMOUNT_COLUMNS, DIMENSION_COLUMNS].map((names) =>
  names.map((name) => name.toLowerCase()),
) as [string[], string[]];

function signedLabel({ label, resource }: PrintedRow): string {
  const sign = resource === undefined ? "" : operationSigns[resource.operation];
  return `${sign.padEnd(2)} ${printable(label)}`;
}

function amountsTable(
  title: string,
  rows: readonly PrintedRow[],
  { paint = (text) => text, width }: RenderOptions,
): string {
  const widths = AMOUNTS.map((name, column) =>
    Math.max(name.length, ...rows.map(({ amounts }) => amounts[column]?.length ?? 0)),
  );
  const taken = widths.reduce((sum, each) => sum + each + COLUMN_GAP, 0);
  const room = width === undefined ? Infinity : Math.max(NARROWEST_LABEL, width - taken);
  const cellsOf = (row: PrintedRow): readonly string[] => {
    const [before, after, difference] = row.amounts;
    const direction = directionOf(difference);
    const painted = direction ? paint(difference, direction) : difference;
    return [clippedMiddle(signedLabel(row), room), before, after, painted];
  };
  return columnsTable(rows.map(cellsOf), { head: [title, ...AMOUNTS], isRight });
}

const isRight = (column: number): boolean => column > 0;

/** The dimensions of the changed resources. Empty if nothing changes. */
export function detailsTable(report: CostReport, options: RenderOptions): string {
  const { resources } = printedReport(report, options);
  if (resources.length === 0) return "";
  const lines = resources.flatMap((row) => [
    [signedLabel(row), "", "", "", ""],
    ...row.dimensions.map(([name = "", ...cells]) => [`     ${printable(name)}`, ...cells]),
    ...(row.dimensions.length === 0 ? [["     the quote names none", "", "", "", ""]] : []),
  ]);
  return columnsTable(lines, { head: ["by dimension", ...DIMENSION], isRight, width: options.width });
}

/** The reports as tables: each stack, and the sum. */
export function stacksTable(reports: readonly CostReport[], options: RenderOptions = {}): string {
  const labelOf = labelStacks(reports);
  const [only, ...others] = reports;
  if (only && others.length === 0) return `${stackTable(only, options)}\n`;
  const sections = reports.map((report) => `${printable(labelOf(report))}\n\n${stackTable(report, options)}`);
  return `${[...sections, totalsTable(reports, options)].join("\n\n\n")}\n`;
}

function stackTable(report: CostReport, options: RenderOptions): string {
  const details = options.details ? detailsTable(report, options) : "";
  return [wrapped(costTable(report, options), options.width), details].filter((text) => text !== "").join("\n\n");
}

function totalsTable(reports: readonly CostReport[], { overBudget = [], width }: RenderOptions): string {
  const { rows, total, exact } = printedStacks(reports);
  const stacks = rows.map((row) => ({ ...row, label: `${row.label}${row.suffix}` }));
  const table = amountsTable("all stacks, per month", [...stacks, total], {});
  const notes = [...roundingNote({ exact }), ...budgetNotes({ overBudget })];
  return [table, ...notes.map((note) => wrapped(note, width))].join("\n");
}
