import Table from "cli-table3";
import { markdownTable } from "markdown-table";

// A table is `{ title, head, rows, note? }`; columns but the first `texts` ones (default 1) are numbers, and stand right.

/** Tables as a terminal shows them. */
export function asText(tables) {
  const draw = ({ title, head, rows, texts, note }) => {
    const colAligns = alignments(head, texts);
    const table = new Table({ head, colAligns, style: { head: [], border: [] } });
    table.push(...rows);
    return [title, table.toString(), ...(note ? [note] : [])].join("\n");
  };
  return tables.map(draw).join("\n\n");
}

/** Tables as Markdown. */
export function asMarkdown(tables) {
  const draw = ({ title, head, rows, texts, note }) => {
    const align = alignments(head, texts).map((side) => side[0]);
    const cells = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
    return [`${title}:`, markdownTable(cells, { align }), ...(note ? [note] : [])].join("\n\n");
  };
  return tables.map(draw).join("\n\n");
}

function alignments(head, texts = 1) {
  return head.map((_, column) => (column < texts ? "left" : "right"));
}

/** A time as people read it: `812 ms`, `3.21 s`, `145 s`. */
export function time(ms) {
  if (Math.abs(ms) < 1000) return `${Math.abs(ms) < 10 ? Number(ms.toFixed(1)) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(Math.abs(ms) < 100_000 ? 2 : 0)} s`;
}

/** Bytes as people read them, in powers of 1000; "unknown" for null. */
export function size(bytes) {
  if (bytes === null) return "unknown";
  if (bytes < 1e4) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${(bytes / 1e3).toFixed(1)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}

/** How often something was measured: `medians of 5 runs in turn`; of one run there is none. */
export function howOften(times, runs = "runs") {
  return times === 1 ? "one run each" : `medians of ${times} ${runs} in turn`;
}
