import { COLUMN_GAP, columnsTable } from "../text/terminal-table";
import { clippedMiddle, printable, wrapped } from "../text/terminal-text";
import { budgetNotes, notesOf, stackTotals, titleOf } from "./notes";
import {
  directionOf,
  operationSigns,
  printedDimensions,
  printedReport,
  type PrintedAmounts,
  type PrintedReport,
} from "./printed-report";
import { stackLabels, type CostReport, type ResourceCost } from "./report";
import type { Paint, RenderOptions } from "./renderer";

/**
 * The report for people: the summary line, the changes, the total and the notes. Ends without a newline. The summary line is one line in any
 * width, because a row shows no more.
 */
export function costTable(
  report: CostReport,
  { paint = (text) => text, width, ...options }: RenderOptions = {},
): string {
  const printed = printedReport(report, options);
  const isEmpty = report.resources.length === 0 && report.notCounted.length === 0;
  return [
    isEmpty ? "No resource with a cost." : titleOf(report, printed.total, "/mo"),
    ...budgetNotes(report).map((note) => wrapped(note, width)),
    ...(printed.hasChanges ? [rowsTable(printed, { paint, width })] : []),
    ...notesOf(report, printed).map((note) => wrapped(note, width)),
  ].join("\n");
}

function resourceLabel({ type, name }: Pick<ResourceCost, "type" | "name">): string {
  return printable(`${type} ${name}`);
}

const AMOUNTS = ["before", "after", "difference"] as const;
const NARROWEST_LABEL = 20;

type Row = readonly [label: string, amounts: PrintedAmounts];

function rowsTable(
  { rows: own, folded, total }: PrintedReport,
  { paint, width }: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const rows: readonly Row[] = [
    ...own.map((row): Row => [
      `${operationSigns[row.resource.operation].padEnd(2)} ${resourceLabel(row.resource)}`,
      row,
    ]),
    ...[...folded, total].map((row): Row => [`   ${row.label}`, row]),
  ];
  const room = width === undefined ? Infinity : Math.max(NARROWEST_LABEL, width - widthOfAmounts(rows));
  const cellsOf = ([label, { before, after, difference }]: Row): readonly string[] => {
    const direction = directionOf(difference);
    return [clippedMiddle(label, room), before, after, direction ? paint(difference, direction) : difference];
  };
  return numbersTable(["cost per month", ...AMOUNTS], rows.map(cellsOf));
}

/** A table with labels on the left and numbers on the right. */
function numbersTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return columnsTable(rows, { head, isRight: (column) => column > 0 });
}

function widthOfAmounts(rows: readonly Row[]): number {
  const widths = AMOUNTS.map((side) => Math.max(side.length, ...rows.map(([, amounts]) => amounts[side].length)));
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, 0);
}

/** The dimensions of the changed resources. Empty if nothing changes. */
export function detailsTable(report: CostReport, options: RenderOptions): string {
  const { rows } = printedReport(report, options);
  if (rows.length === 0) return "";
  const lines = rows.flatMap(({ resource }) => {
    const sign = operationSigns[resource.operation].padEnd(2);
    const dimensions = printedDimensions(resource);
    return [
      [`${sign} ${resourceLabel(resource)}`, "", "", "", ""],
      ...dimensions.map(({ displayName, quantity, unitPrice, monthlyAmount, difference }) => [
        ...[`     ${printable(displayName)}`, quantity, unitPrice, monthlyAmount, difference],
      ]),
      ...(dimensions.length === 0 ? [["     the quote names none", "", "", "", ""]] : []),
    ];
  });
  const head = ["by dimension", "quantity", "unit price", "a month", "difference"];
  return columnsTable(lines, { head, isRight: (column) => column > 0, width: options.width });
}

/** The reports for people: each stack, and the sum. */
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
  const rows = [...stacks, { ...total, suffix: "" }].map(({ label, suffix, before, after, difference }) => [
    ...[`   ${printable(label)}${suffix}`, before, after, difference],
  ]);
  const table = numbersTable(["all stacks, per month", "before", "after", "difference"], rows);
  return [table, ...[...notes, ...budgetNotes({ overBudget })].map((note) => wrapped(note, width))].join("\n");
}
