import Table from "cli-table3";
import { columnsOnly, printable, tableText } from "../terminal-text";
import { notesOf } from "./notes";
import {
  directionOf,
  operationSigns,
  printedReport,
  type PrintedReport,
  type Direction,
  type PrintOptions,
} from "./printed-report";
import type { CostReport, ResourceCost } from "./report";
import { leastSuffix, titleOf } from "./title";

/** How the report for a screen looks. */
export interface TableOptions extends PrintOptions {
  /** Colours a difference: dearer or cheaper. Default: no colours. */
  readonly paint?: Paint | undefined;
  /** Whether the first line has to say it all: a resource's row in Pulumi's display has room for one. Default: false. */
  readonly isForRow?: boolean | undefined;
}

/** Colours a text that tells of more, or of less. */
export type Paint = (text: string, direction: Direction) => string;

/** The report for people: what changes, the total, and what has to be known beside it. Ends without a newline. */
export function costTable(
  report: CostReport,
  { paint = (text) => text, isForRow = false, ...options }: TableOptions = {},
): string {
  const printed = printedReport(report, options);
  const isEmpty = report.resources.length === 0 && report.notCounted.length === 0;
  const hasChanges = printed.rows.length > 0;
  const headline = titleOf(report, printed.total, "/mo");
  const lines = hasChanges
    ? [...(isForRow ? [headline] : []), rowsTable(printed, report, paint)]
    : [isEmpty ? "No resource with a cost." : headline];
  return [...lines, ...notesOf(report, printed)].join("\n");
}

/** A resource in words: its type, and what the program calls it. */
export function resourceLabel({ type, name }: Pick<ResourceCost, "type" | "name">): string {
  return printable(`${type} ${name}`);
}

function rowsTable(printed: PrintedReport, report: CostReport, paint: Paint): string {
  const table = new Table({
    ...columnsOnly,
    head: ["cost per month", "before", "after", "difference"],
    colAligns: ["left", "right", "right", "right"],
  });
  const push = (
    label: string,
    { before, after, difference }: Record<"before" | "after" | "difference", string>,
  ): void => {
    const direction = directionOf(difference);
    table.push([label, before, after, direction ? paint(difference, direction) : difference]);
  };
  for (const row of printed.rows)
    push(`${operationSigns[row.resource.operation].padEnd(2)} ${resourceLabel(row.resource)}`, row);
  if (printed.more) push(`   and ${printed.more.count} more`, printed.more);
  if (printed.unchanged) push(`   ${printed.unchanged.count} unchanged`, printed.unchanged);
  push(`   total${leastSuffix(report)}`, printed.total);
  return tableText(table);
}
