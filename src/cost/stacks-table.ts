import { printable } from "../text/terminal-text";
import { detailsTable } from "./details-table";
import { budgetNotes } from "./notes";
import type { RenderOptions } from "./renderer";
import { stackLabels, type CostReport } from "./report";
import { stackTotals } from "./stack-totals";
import { costTable, numbersTable } from "./cost-table";

/** The reports for people: each stack, and the sum. */
export function stacksTable(reports: readonly CostReport[], options: RenderOptions = {}): string {
  const labels = stackLabels(reports).map(printable);
  const tables = reports.map((report) => stackTable(report, options));
  if (reports.length === 1) return `${tables.join("")}\n`;
  const sections = tables.map((table, index) => `${labels[index] ?? ""}\n\n${table}`);
  return `${[...sections, totalsTable(reports, options.overBudget ?? [])].join("\n\n\n")}\n`;
}

function stackTable(report: CostReport, options: RenderOptions): string {
  const details = options.details ? detailsTable(report, options) : "";
  return [costTable(report, options), details].filter((text) => text !== "").join("\n\n");
}

function totalsTable(reports: readonly CostReport[], overBudget: CostReport["overBudget"]): string {
  const { stacks, total, notes } = stackTotals(reports);
  const rows = [...stacks, { ...total, suffix: "" }].map(({ label, suffix, before, after, difference }) => [
    `   ${printable(label)}${suffix}`,
    before,
    after,
    difference,
  ]);
  const table = numbersTable(["all stacks, per month", "before", "after", "difference"], rows);
  return [table, ...notes, ...budgetNotes({ overBudget })].join("\n");
}
