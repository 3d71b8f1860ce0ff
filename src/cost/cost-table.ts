import Table from "cli-table3";
import { clippedMiddle, COLUMN_GAP, columnsOnly, printable, tableText } from "../terminal-text";
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
import { leastSuffix, titleOf } from "./title";

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
  const hasRows = printed.rows.length > 0 || printed.samePrice !== undefined;
  return [
    isEmpty ? "No resource with a cost." : titleOf(report, printed.total, "/mo"),
    ...budgetNotes(report),
    ...(hasRows ? [rowsTable(printed, report, { paint, width })] : []),
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
  printed: PrintedReport,
  report: CostReport,
  { paint, width }: { readonly paint: Paint; readonly width: number | undefined },
): string {
  const { more, samePrice, unchanged, total } = printed;
  const rows: readonly Row[] = [
    ...printed.rows.map((row): Row => [
      `${operationSigns[row.resource.operation].padEnd(2)} ${resourceLabel(row.resource)}`,
      row,
    ]),
    ...(more ? [[`   and ${more.count} more`, more] as const] : []),
    ...(samePrice ? [[`   ${samePrice.count} changed at the same price`, samePrice] as const] : []),
    ...(unchanged ? [[`   ${unchanged.count} unchanged`, unchanged] as const] : []),
    [`   total${leastSuffix(report)}`, total],
  ];
  const table = new Table({
    ...columnsOnly,
    head: ["cost per month", ...AMOUNTS],
    colAligns: ["left", "right", "right", "right"],
  });
  const room = width === undefined ? Infinity : Math.max(NARROWEST_LABEL, width - widthOfAmounts(rows));
  for (const [label, { before, after, difference }] of rows) {
    const direction = directionOf(difference);
    table.push([clippedMiddle(label, room), before, after, direction ? paint(difference, direction) : difference]);
  }
  return tableText(table);
}

/** The width of the columns of amounts, with the gaps before them. */
function widthOfAmounts(rows: readonly Row[]): number {
  const widths = AMOUNTS.map((side) => Math.max(side.length, ...rows.map(([, amounts]) => amounts[side].length)));
  return widths.reduce((sum, width) => sum + width + COLUMN_GAP, 0);
}
