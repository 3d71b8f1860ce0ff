import { createHash } from "node:crypto";
import { AMOUNT_COLUMNS, amountCells, section, type Section } from "./html-section";
import { STYLE } from "./html-style";
import { htmlTable } from "./html-table";
import { html, styleElement, type Markup } from "./html-text";
import { printedReport, type PrintOptions } from "./printed-report";
import { combinedReport, stackLabels, type CostReport } from "./report";
import { leastSuffix, titleOf } from "./title";

/**
 * The reports as one page that needs nothing else: no script, no font, no picture from anywhere, and its policy forbids them. Ends
 * with a newline.
 */
export function costHtml(reports: readonly CostReport[], options: PrintOptions = {}): string {
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
          <h1>Monthly cost</h1>
          ${reports.length > 1 ? stacksTable(sections) : ""} ${sections.map(section)}
        </main>
      </body>
    </html> `;
  return `${page.text.trimEnd()}\n`;
}

/** The stacks beside each other, each with a link to its section, and what they cost together. */
function stacksTable(sections: readonly Section[]): Markup {
  const reports = sections.map(({ report }) => report);
  const labels = stackLabels(reports);
  const all = combinedReport(reports);
  return html`<section>
    ${htmlTable({
      caption: "All stacks",
      columns: ["Cost per month", ...AMOUNT_COLUMNS],
      rows: sections.map(({ report, printed, id }, index) => ({
        heading: html`<a href="#${id}">${labels[index] ?? ""}</a>${leastSuffix(report)}`,
        cells: amountCells(printed.total),
      })),
      total: { heading: html`total${leastSuffix(all)}`, cells: amountCells(printedReport(all).total) },
    })}
  </section>`;
}
