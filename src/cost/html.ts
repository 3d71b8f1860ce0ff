import { createHash } from "node:crypto";
import { overBudgetBox, section, type Section } from "./html-section";
import { STYLE } from "./html-style";
import { html, htmlTable, styleElement, type Markup } from "./html-text";
import { operationWords, roundingNote, titleOf } from "./notes";
import { AMOUNT_COLUMNS, operationSigns, printedReport, printedStacks } from "./printed-report";
import type { PageOrigin, Renderer } from "./renderer";
import type { BudgetBreach } from "./cost-document";
import { stackTitle } from "./report";

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
