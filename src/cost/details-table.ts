import Table from "cli-table3";
import { columnsOnly, printable, tableText } from "../text/terminal-text";
import { printedDimensions } from "./printed-details";
import { operationSigns, printedReport, type PrintOptions } from "./printed-report";
import type { CostReport } from "./report";
import { resourceLabel } from "./cost-table";

/** The dimensions of the changed resources. Empty if nothing changes. */
export function detailsTable(report: CostReport, options: PrintOptions): string {
  const { rows } = printedReport(report, options);
  if (rows.length === 0) return "";
  const table = new Table({
    ...columnsOnly,
    head: ["by dimension", "quantity", "unit price", "a month", "difference"],
    colAligns: ["left", "right", "right", "right", "right"],
  });
  for (const { resource } of rows) {
    const dimensions = printedDimensions(resource);
    const sign = operationSigns[resource.operation].padEnd(2);
    table.push([`${sign} ${resourceLabel(resource)}`, "", "", "", ""]);
    for (const { displayName, quantity, unitPrice, monthlyAmount, difference } of dimensions)
      table.push([`     ${printable(displayName)}`, quantity, unitPrice, monthlyAmount, difference]);
    if (dimensions.length === 0) table.push(["     the quote names none", "", "", "", ""]);
  }
  return tableText(table);
}
