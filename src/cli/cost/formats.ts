import type * as Html from "../../cost/html";
import type * as Json from "../../cost/json-report";
import type * as Markdown from "../../cost/markdown";
import type { Renderer } from "../../cost/renderer";
import type * as Table from "../../cost/table";

export const formats = ["table", "markdown", "json", "html"] as const;
export type Format = (typeof formats)[number];

/** Loads the renderer of a format. */
export function rendererOf(format: Format): Renderer {
  switch (format) {
    case "table":
      return (require("../../cost/table") as typeof Table).stacksTable;
    case "markdown":
      return (require("../../cost/markdown") as typeof Markdown).costMarkdown;
    case "json":
      return (require("../../cost/json-report") as typeof Json).jsonReport;
    case "html":
      return (require("../../cost/html") as typeof Html).costHtml;
  }
}
