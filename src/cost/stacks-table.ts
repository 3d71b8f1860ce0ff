import Table from "cli-table3";
import { columnsOnly, printable, tableText } from "../terminal-text";
import { detailsTable } from "./details-table";
import { budgetNotes } from "./notes";
import { printedReport } from "./printed-report";
import type { RenderOptions } from "./renderer";
import { combinedReport, stackLabels, type CostReport } from "./report";
import { footnotes } from "./stack-totals";
import { costTable } from "./cost-table";
import { leastSuffix } from "./title";

/** The reports for people: each stack, and the sum. */
export function stacksTable(reports: readonly CostReport[], options: RenderOptions): string {
  const labels = stackLabels(reports).map(printable);
  const tables = reports.map((report) => stackTable(report, options));
  if (reports.length === 1) return `${tables.join("")}\n`;
  const sections = tables.map((table, index) => `${labels[index] ?? ""}\n\n${table}`);
  return `${[...sections, totalsTable(reports, labels, options.overBudget ?? [])].join("\n\n\n")}\n`;
}

function stackTable(report: CostReport, options: RenderOptions): string {
  const details = options.details ? detailsTable(report, options) : "";
  return [costTable(report, options), details].filter((text) => text !== "").join("\n\n");
}

function totalsTable(
  reports: readonly CostReport[],
  labels: readonly string[],
  overBudget: CostReport["overBudget"],
): string {
  const table = new Table({
    ...columnsOnly,
    head: ["all stacks, per month", "before", "after", "difference"],
    colAligns: ["left", "right", "right", "right"],
  });
  const all = combinedReport(reports);
  const push = (label: string, report: CostReport): void => {
    const { before, after, difference } = printedReport(report).total;
    table.push([`   ${label}${leastSuffix(report)}`, before, after, difference]);
  };
  reports.forEach((report, index) => {
    push(labels[index] ?? "", report);
  });
  push("total", all);
  return [tableText(table), ...footnotes(reports), ...budgetNotes({ overBudget })].join("\n");
}
