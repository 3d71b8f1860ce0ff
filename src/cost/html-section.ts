import { dimensionChart, resourceChart } from "./chart";
import { barChart } from "./html-chart";
import { differenceCell, html, htmlTable, type Markup } from "./html-text";
import { percentText } from "./money";
import { budgetNotes, notesOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  DIMENSION_COLUMNS,
  operationSigns,
  type PrintedReport,
  type PrintedRow,
  type ResourceRow,
} from "./printed-report";
import { leastSuffix, unknownCount, type CostReport } from "./report";

export interface Section {
  readonly report: CostReport;
  readonly printed: PrintedReport;
  /** Its id on the page, for links. */
  readonly id: string;
}

/** The section of a stack: figures, charts, tables and notes. */
export function section({ report, printed, id }: Section): Markup {
  const details = printed.resources.flatMap(detailsOf);
  const notes = noteList(notesOf(report, printed));
  const resourceBarChart = barChart(`${id}-resources`, resourceChart(report));
  const dimensionBarChart = barChart(`${id}-dimensions`, dimensionChart(report));
  return html`<section id="${id}" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${report.stack} <small>of ${report.project}</small></h2>
    ${overBudgetBox(report)} ${figures(report, printed)} ${resourceBarChart} ${resourceTable(printed)}
    ${dimensionBarChart}
    ${
      details.length > 0
        ? html`<h3>Usage of what changes</h3>
            ${details}`
        : ""
    }
    ${
      notes === ""
        ? ""
        : html`<h3>Notes</h3>
            ${notes}`
    }
  </section>`;
}

/** Exceeded budgets come before everything else. */
export function overBudgetBox(report: Pick<CostReport, "overBudget">): Markup | string {
  return noteList(budgetNotes(report), "notes over");
}

function noteList(notes: readonly string[], look = "notes"): Markup | "" {
  return notes.length === 0
    ? ""
    : html`<ul class="${look}">
        ${notes.map((note) => html`<li>${note}</li>`)}
      </ul>`;
}

function figures(report: CostReport, { total }: PrintedReport): Markup {
  const least = leastSuffix(report);
  const [before, after, difference] = total.amounts;
  const figure = (name: string, amount: Markup): Markup =>
    html`<div>
      <dt>${name}</dt>
      <dd>${amount}</dd>
    </div>`;
  const unknown = unknownCount(report);
  const beside = [percentText(report.delta, report.before), unknown === 0 ? undefined : `and ${unknown} unknown`];
  const words = beside.filter((text) => text !== undefined).join(" ");
  return html`<dl class="figures">
    ${figure(`Before${least}`, html`${before}`)} ${figure(`After${least}`, html`${after}`)}
    ${figure("Difference", html`${differenceCell(difference)} ${words === "" ? "" : html`<small>${words}</small>`}`)}
  </dl>`;
}

function resourceTable({ rows, total, free }: PrintedReport): Markup | string {
  if (rows.length === 0) return free.size > 0 ? "" : html`<p>No resource with a known cost.</p>`;
  return htmlTable({
    caption: "Resources",
    columns: ["Cost per month", ...AMOUNT_COLUMNS],
    rows: rows.map((row) => ({ heading: headingOf(row), cells: row.amounts })),
    total: { heading: headingOf(total), cells: total.amounts },
  });
}

function headingOf({ label, resource }: PrintedRow): Markup {
  if (resource === undefined) return html`<span class="sign"></span>${label}`;
  const { operation, type, name } = resource;
  return html`<span class="sign" title="${operation}">${operationSigns[operation].trim()}</span
    ><span class="type">${type}</span> ${name}`;
}

function detailsOf({ label, dimensions }: ResourceRow): readonly Markup[] {
  if (dimensions.length === 0) return [];
  const table = htmlTable({
    caption: label,
    columns: DIMENSION_COLUMNS,
    rows: dimensions.map(([heading = "", ...cells]) => ({ heading, cells })),
  });
  return [
    html`<details>
      <summary>${label}</summary>
      ${table}
    </details>`,
  ];
}
