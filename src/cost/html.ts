import { createHash } from "node:crypto";
import { AMOUNT_COLUMNS, amountCells, overBudgetBox, section, type Section } from "./html-section";
import { STYLE } from "./html-style";
import { htmlTable } from "./html-table";
import { html, styleElement, type Markup } from "./html-text";
import type { BudgetBreach } from "./budget-breach";
import { operationWords } from "./notes";
import { operationSigns, printedReport, type PrintOptions } from "./printed-report";
import { combinedReport, stackLabels, type CostReport } from "./report";
import { footnotes } from "./stack-totals";
import { leastSuffix, titleOf } from "./title";

/** The origin of a page, because a page is kept and read later. */
export interface PageOrigin {
  /** ISO 8601. */
  readonly madeAt: string;
  /** The version of this package. */
  readonly version: string;
  /** The commit of the program, if it is in a repository. */
  readonly commit?: string | undefined;
}

/** Options of a page. */
export interface HtmlOptions extends PrintOptions {
  readonly origin?: PageOrigin | undefined;
  /** Exceeded budgets of all stacks together. */
  readonly overBudget?: readonly BudgetBreach[] | undefined;
}

/** The reports as one page. It loads no script, font or picture, and its policy forbids them. Ends with a newline. */
export function costHtml(
  reports: readonly CostReport[],
  { origin, overBudget = [], ...options }: HtmlOptions = {},
): string {
  const sections = reports.map((report, index) => ({
    report,
    printed: printedReport(report, options),
    id: `stack-${index + 1}`,
  }));
  const titles = sections.map(({ report, printed }) => `${report.stack}: ${titleOf(report, printed.total)}`);
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
          <h1>Monthly cost of ${stackLabels(reports).join(", ")}</h1>
          ${originLine(origin)} ${reports.length > 1 ? stacksTable(sections, overBudget) : ""} ${sections.map(section)}
          ${legend}
        </main>
      </body>
    </html> `;
  return `${page.text.trimEnd()}\n`;
}

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
  ${signs}▲ more expensive, ▼ cheaper. A dash in place of an amount: it is not there, which is not $0.00. “At least”:
  some cost is not known. Amounts are US dollars a month, rounded to cents.
</p>`;

/** The stacks with links to their sections, and their sum. */
function stacksTable(sections: readonly Section[], overBudget: readonly BudgetBreach[]): Markup {
  const reports = sections.map(({ report }) => report);
  const labels = stackLabels(reports);
  const all = combinedReport(reports);
  const notes = footnotes(reports).map((note) => html`<p>${note}</p>`);
  return html`<section>
    ${overBudgetBox({ overBudget })}
    ${htmlTable({
      caption: "All stacks",
      columns: ["Cost per month", ...AMOUNT_COLUMNS],
      rows: sections.map(({ report, printed, id }, index) => ({
        heading: html`<a href="#${id}">${labels[index] ?? ""}</a>${leastSuffix(report)}`,
        cells: amountCells(printed.total),
      })),
      total: { heading: html`total${leastSuffix(all)}`, cells: amountCells(printedReport(all).total) },
    })}
    ${notes}
  </section>`;
}
