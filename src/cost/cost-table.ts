import Table from "cli-table3";
import { clippedMiddle, COLUMN_GAP, columnsOnly, printable, tableText } from "../text/terminal-text";
import { budgetNotes, notesOf } from "./notes";
import {
  directionOf,
  operationSigns,
  printedReport,
  type PrintedAmounts,
  type PrintedReport,
  type Direction,
  type PrintOptions,
} from "./printed-report";
import type { CostReport, ResourceCost } from "./report";
import { titleOf } from "./title";

/** Options of the report for a terminal. */
export interface TableOptions extends PrintOptions {
  /** Colours a difference: more expensive or cheaper. Default: no colours. */
  readonly paint?: Paint | undefined;
  /** The width of a line in characters. Longer names are shortened, amounts never. Default: no limit. */
  readonly width?: number | undefined;
}

/** Colours a text about more, or less. */
export type Paint = (text: string, direction: Direction) => string;

/** The report for people: the summary line, the changes, the total and the notes. Ends without a newline. */
export function costTable(
  report: CostReport,
  { paint = (text) => text, width, ...options }: TableOptions = {},
): string {
  const printed = printedReport(report, options);
  const isEmpty = report.resources.length === 0 && report.notCounted.length === 0;
  return [
    isEmpty ? "No resource with a cost." : titleOf(report, printed.total, "/mo"),
    ...budgetNotes(report),
    ...(printed.hasChanges ? [rowsTable(printed, { paint, width })] : []),
    ...notesOf(report, printed),
  ].join("\n");
}

/** A resource in words: its type and logical name. */
export function resourceLabel({ type, name }: Pick<ResourceCost, "type" | "name">): string {
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
export function numbersTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const colAligns = head.map((_, column) => (column === 0 ? "left" : "right"));
  const table = new Table({ ...columnsOnly, head: [...head], colAligns });
  for (const row of rows) table.push([...row]);
  return tableText(table);
}

/** The width of the columns of amounts, with the gaps before them. */
function widthOfAmounts(rows: readonly Row[]): number {
  const widths = AMOUNTS.map((side) => Math.max(side.length, ...rows.map(([, amounts]) => amounts[side].length)));
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, 0);
}
