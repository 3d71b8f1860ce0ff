import type * as Html from "../../cost/html";
import type * as Json from "../../cost/json-report";
import type * as Markdown from "../../cost/markdown";
import type { Renderer } from "../../cost/renderer";
import type * as Table from "../../cost/cost-table";

/** Each format loads only its own modules. */
const renderers = {
  table: () => (require("../../cost/cost-table") as typeof Table).stacksTable,
  markdown: () => (require("../../cost/markdown") as typeof Markdown).costMarkdown,
  json: () => (require("../../cost/json-report") as typeof Json).jsonReport,
  html: () => (require("../../cost/html") as typeof Html).costHtml,
} satisfies Readonly<Record<string, () => Renderer>>;

export type Format = keyof typeof renderers;
export const formats = Object.keys(renderers) as readonly Format[];

export function rendererOf(format: Format): Renderer {
  return renderers[format]();
}
