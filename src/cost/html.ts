import { createHash } from "node:crypto";
import { STYLE } from "./html-style";
import { html, htmlTable, styleElement, type Markup, differenceCell } from "./html-text";
import { operationWords, roundingNote, titleOf, budgetNotes, notesOf } from "./notes";
import {
  AMOUNT_COLUMNS,
  operationSigns,
  printedReport,
  printedStacks,
  DIMENSION_COLUMNS,
  type PrintedReport,
  type PrintedRow,
  type ResourceRow,
} from "./printed-report";
import type { PageOrigin, Renderer } from "./renderer";
import type { BudgetBreach } from "./cost-document";
import { stackPath, stackTitle, leastSuffix, unknownCount, type CostReport } from "./report";
import { dimensionChart, resourceChart, barChart } from "./html-chart";
import { percentText } from "./money";

/** The reports as one page. It loads no script, font or picture, and its policy forbids them. Ends with a newline. */
export const costHtml: Renderer = (reports, { origin, overBudget = [], limit } = {}) => {
  const sections = reports.map((report, index) => ({
    report,
    printed: printedReport(report, { limit }),
    id: `stack-${index + 1}`,
  }));
  const titles = sections.map(({ report, printed }) => `${stackTitle(report)}: ${titleOf(report, printed.total)}`);
  const style = createHash("sha256").update(STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="no-referrer" />
        <title>Monthly cost of ${titles.join(", ")}</title>
        ${styleElement(STYLE)}
      </head>
      <body>
        <main>
          <h1>Monthly cost of ${reports.map(stackTitle).join(", ")}</h1>
          ${originLine(origin)} ${reports.length > 1 ? stacksTable(sections, overBudget) : ""} ${sections.map(section)}
          ${legend}
        </main>
      </body>
    </html> `;
  return `${page.text.trimEnd()}\n`;
};

function originLine(origin: PageOrigin | undefined): Markup | string {
  if (origin === undefined) return "";
  const { madeAt, version, commit } = origin;
  const parts = [
    html`<time datetime="${madeAt}">${madeAt.slice(0, 16).replace("T", " ")} UTC</time>`,
    ...(commit === undefined ? [] : [html`commit ${commit.slice(0, 12)}`]),
    html`pulumi-cloudinfra ${version}`,
  ];
  return html`<p class="about">${parts.flatMap((part, index) => (index === 0 ? [part] : [html` · `, part]))}</p>`;
}

const signs = (["create", "delete", "update", "replace"] as const).map(
  (operation) => html`<b>${operationSigns[operation].trim()}</b> ${operationWords[operation]}, `,
);

const legend = html`<p class="about">
  ${signs}▲ more expensive, ▼ cheaper. A dash means that there is no amount, which is not $0.00. “At least” means that
  some cost is not known. Amounts are US dollars a month, rounded to cents.
</p>`;

/** The stacks with links to their sections, and their sum. */
function stacksTable(sections: readonly Section[], overBudget: readonly BudgetBreach[]): Markup {
  const { rows, total, exact } = printedStacks(sections.map(({ report }) => report));
  return html`<section>
    ${overBudgetBox({ overBudget })}
    ${htmlTable({
      caption: "All stacks",
      columns: ["Cost per month", ...AMOUNT_COLUMNS],
      rows: rows.map(({ label, suffix, amounts }, index) => ({
        heading: html`<a href="#${sections[index]?.id ?? ""}">${label}</a>${suffix}`,
        cells: amounts,
      })),
      total: { heading: total.label, cells: total.amounts },
    })}
    ${roundingNote({ exact }).map((note) => html`<p>${note}</p>`)}
  </section>`;
}

interface Section {
  readonly report: CostReport;
  readonly printed: PrintedReport;
  /** Its id on the page, for links. */
  readonly id: string;
}

/** The section of a stack: figures, charts, tables and notes. */
function section({ report, printed, id }: Section): Markup {
  const details = printed.resources.flatMap(detailsOf);
  const notes = noteList(notesOf(report, printed));
  const resourceBarChart = barChart(`${id}-resources`, resourceChart(report));
  const dimensionBarChart = barChart(`${id}-dimensions`, dimensionChart(report));
  return html`<section id="${id}" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${report.stack} <small>of ${stackPath(report).slice(0, -1).join("/")}</small></h2>
    ${overBudgetBox(report)} ${figures(report, printed)} ${resourceBarChart} ${resourceTable(printed)}
    ${dimensionBarChart} ${details.length > 0 ? html`<h3>Usage of what changes</h3>` : ""} ${details}
    ${notes === "" ? "" : html`<h3>Notes</h3>`} ${notes}
  </section>`;
}

/** Exceeded budgets come before everything else. */
function overBudgetBox(report: Pick<CostReport, "overBudget">): Markup | string {
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

function resourceTable({ rows, total, noneKnown }: PrintedReport): Markup | string {
  if (rows.length === 0) return noneKnown === undefined ? "" : html`<p>${noneKnown}</p>`;
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
