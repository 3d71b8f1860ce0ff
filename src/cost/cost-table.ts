import type { ResourceCost } from "./resource-cost";
import { COLUMN_GAP, columnsTable } from "../text/terminal-table";
import { clippedMiddle, printable, wrapped } from "../text/terminal-text";
import { budgetNotes, notesOf, stackTotals, titleOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  amountCells,
  DIMENSION_COLUMNS,
  directionOf,
  operationSigns,
  printedDimensions,
  printedReport,
  type LabelledRow,
  type PrintedReport,
} from "./printed-report";
import { stackLabels, type CostReport } from "./report";
import type { RenderOptions } from "./renderer";

/**
 * The report as a table: the summary line, the changes, the total and the notes. Ends without a newline. The summary never wraps,
 * because a row shows one line.
 */
export function costTable(report: CostReport, options: RenderOptions = {}): string {
  const { width } = options;
  const printed = printedReport(report, options);
  const isEmpty = report.resources.length === 0 && report.notCounted.length === 0;
  return [
    isEmpty ? "No resource with a cost." : titleOf(report, printed.total, "/mo"),
    ...budgetNotes(report).map((note) => wrapped(note, width)),
    ...(printed.hasChanges ? [rowsTable(printed, options)] : []),
    ...notesOf(report, printed).map((note) => wrapped(note, width)),
  ].join("\n");
}

const NARROWEST_LABEL = 20;
const [AMOUNTS, [, ...DIMENSION]] = [AMOUNT_COLUMNS, DIMENSION_COLUMNS].map((names) =>
  names.map((name) => name.toLowerCase()),
) as [string[], string[]];

function rowsTable({ rows: own, folded, total }: PrintedReport, options: RenderOptions): string {
  const rows = [
    ...own.map((row) => ({ ...row, label: signedLabel(row.resource) })),
    ...[...folded, total].map((row) => ({ ...row, label: `   ${row.label}` })),
  ];
  return amountsTable("cost per month", rows, options);
}

function signedLabel(resource: ResourceCost): string {
  return `${operationSigns[resource.operation].padEnd(2)} ${printable(`${resource.type} ${resource.name}`)}`;
}

function amountsTable(
  title: string,
  rows: readonly LabelledRow[],
  { paint = (text) => text, width }: RenderOptions,
): string {
  const widths = AMOUNTS.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => amountCells(row)[column]?.length ?? 0)),
  );
  const taken = widths.reduce((sum, each) => sum + each + COLUMN_GAP, 0);
  const room = width === undefined ? Infinity : Math.max(NARROWEST_LABEL, width - taken);
  const cellsOf = (row: LabelledRow): readonly string[] => {
    const direction = directionOf(row.difference);
    const difference = direction ? paint(row.difference, direction) : row.difference;
    return [clippedMiddle(row.label, room), ...amountCells({ ...row, difference })];
  };
  return columnsTable(rows.map(cellsOf), { head: [title, ...AMOUNTS], isRight });
}

const isRight = (column: number): boolean => column > 0;

/** The dimensions of the changed resources. Empty if nothing changes. */
export function detailsTable(report: CostReport, options: RenderOptions): string {
  const { rows } = printedReport(report, options);
  if (rows.length === 0) return "";
  const lines = rows.flatMap(({ resource }) => {
    const dimensions = printedDimensions(resource);
    return [
      [signedLabel(resource), "", "", "", ""],
      ...dimensions.map(([name = "", ...cells]) => [`     ${printable(name)}`, ...cells]),
      ...(dimensions.length === 0 ? [["     the quote names none", "", "", "", ""]] : []),
    ];
  });
  return columnsTable(lines, { head: ["by dimension", ...DIMENSION], isRight, width: options.width });
}

/** The reports as tables: each stack, and the sum. */
export function stacksTable(reports: readonly CostReport[], options: RenderOptions = {}): string {
  const labels = stackLabels(reports).map(printable);
  const tables = reports.map((report) => stackTable(report, options));
  if (reports.length === 1) return `${tables.join("")}\n`;
  const sections = tables.map((table, index) => `${labels[index] ?? ""}\n\n${table}`);
  return `${[...sections, totalsTable(reports, options)].join("\n\n\n")}\n`;
}

function stackTable(report: CostReport, options: RenderOptions): string {
  const details = options.details ? detailsTable(report, options) : "";
  return [wrapped(costTable(report, options), options.width), details].filter((text) => text !== "").join("\n\n");
}

function totalsTable(reports: readonly CostReport[], { overBudget = [], width }: RenderOptions): string {
  const { stacks, total, notes } = stackTotals(reports);
  const rows = [...stacks, { ...total, suffix: "" }].map(({ label, suffix, ...amounts }) => ({
    ...amounts,
    label: `   ${printable(label)}${suffix}`,
  }));
  const table = amountsTable("all stacks, per month", rows, {});
  return [table, ...[...notes, ...budgetNotes({ overBudget })].map((note) => wrapped(note, width))].join("\n");
}
