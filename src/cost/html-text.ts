import { printable } from "../text/terminal-text";
import { directionOf } from "./printed-report";

/** Text that is HTML already. Only `html` makes it. */
class Markup {
  constructor(readonly text: string) {}
}

export type { Markup };

/** A value in a template: text, which is escaped, or markup, which is not. */
type Content = string | number | Markup | readonly Markup[];

/** A template of HTML. It escapes every value, in text and in quoted attributes. */
export function html(template: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: template }, ...contents.map(escapedText)));
}

/** A style sheet as a `<style>` element. HTML has no escapes inside this element. */
export function styleElement(css: string): Markup {
  return new Markup(`<style>${css}</style>`);
}

function escapedText(content: Content): string {
  if (content instanceof Markup) return content.text;
  if (typeof content === "object") return content.map(({ text }) => text).join("\n");
  return printable(String(content)).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

interface HtmlTable {
  readonly caption: string;
  /** The headings. The first one is above the row headings, and the last one above the differences. */
  readonly columns: readonly string[];
  readonly rows: readonly HtmlRow[];
  readonly total?: HtmlRow | undefined;
}

interface HtmlRow {
  readonly heading: Content;
  readonly cells: readonly string[];
}

/**
 * A table with numbers and row headings. On a phone, each number has the name of its column above it. The roles are
 * explicit, because the layout for phones would remove them.
 */
export function htmlTable({ caption, columns, rows, total }: HtmlTable): Markup {
  const [, ...names] = columns;
  const contentOf = (cell: string, index: number): Content => (names[index + 1] ? cell : differenceCell(cell));
  const rowOf = ({ heading, cells }: HtmlRow): Markup =>
    html`<tr role="row">
      <th role="rowheader" scope="row">${heading}</th>
      ${cells.map((cell, index) => html`<td role="cell" data-column="${names[index] ?? ""}">${contentOf(cell, index)}</td>`)}
    </tr>`;
  const headings = columns.map((name) => html`<th role="columnheader" scope="col">${name}</th>`);
  return html`<table role="table">
    <caption>
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${headings}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.map(rowOf)}
    </tbody>
    ${
      total
        ? html` <tfoot role="rowgroup">
            ${rowOf(total)}
          </tfoot>`
        : ""
    }
  </table>`;
}

/** A difference with a sign and a word, so that its meaning does not depend on the colour. */
export function differenceCell(difference: string): Markup {
  const direction = directionOf(difference);
  if (direction === undefined) return html`${difference}`;
  const arrow = direction === "down" ? html`▼&nbsp;` : html`▲&nbsp;`;
  return html`<span class="${direction}"><span aria-hidden="true">${arrow}</span>${difference}</span>`;
}
