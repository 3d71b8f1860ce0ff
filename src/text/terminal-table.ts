import { stripVTControlCharacters } from "node:util";
import Table, { type HorizontalAlignment } from "cli-table3";
import { wrapped } from "./terminal-text";

/** The number of spaces between two columns. */
export const COLUMN_GAP = 2;

type Rows = readonly (readonly string[])[];

interface TableLayout {
  readonly head?: readonly string[];
  /** The columns with numbers. */
  readonly isRight?: (column: number) => boolean;
  /** The width of a line. Default: no limit. */
  readonly width?: number | undefined;
  /**
   * The rows in fewer columns, for a terminal that is too narrow for the longest words side by side. Default: a line
   * for each cell.
   */
  readonly narrower?: Rows;
}

/** A table without lines between its columns. If it is too wide, its cells wrap between words. */
export function columnsTable(
  rows: Rows,
  { head = [], isRight = () => false, width = Infinity, narrower }: TableLayout = {},
): string {
  const columns = (head.length > 0 ? head : (rows[0] ?? [])).map((_, column) =>
    [head, ...rows].map((cells) => stripVTControlCharacters(cells[column] ?? "")),
  );
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)));
  const words = columns.map((cells) => Math.max(...cells.map(longestWord)));
  const room = width - (columns.length - 1) * COLUMN_GAP;
  const fewer = narrower ?? (head.length > 0 ? linesOf(head, rows) : undefined);
  if (sum(words) > room && fewer !== undefined) return columnsTable(fewer, { width });

  const spare = (): readonly number[] => widths.map((each, column) => each - (words[column] ?? 0));
  for (let over = sum(widths) - room; over > 0 && sum(spare()) > 0; over -= 1) {
    const widest = spare().indexOf(Math.max(...spare()));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  const fitted = (cells: readonly string[]): string[] => cells.map((cell, column) => wrapped(cell, widths[column], ""));
  const colAligns = columns.map((_, column): HorizontalAlignment => (isRight(column) ? "right" : "left"));
  const table = new Table({ ...withoutLines, head: fitted(head), colAligns });
  table.push(...rows.map(fitted));
  return table.toString().replace(/ +$/gm, "");
}

/** The length of the longest word, with the indent of its line. */
function longestWord(cell: string): number {
  const words = cell.trim().split(" ");
  return cell.length - cell.trimStart().length + Math.max(...words.map(({ length }) => length));
}

/** Writes each cell on its own line after its heading, with an empty line between two rows. */
function linesOf(head: readonly string[], rows: Rows): Rows {
  return rows.flatMap((cells, row) => [
    ...(row === 0 ? [] : [["", ""]]),
    ...cells.map((cell, column) => [head[column] ?? "", cell]),
  ]);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

const withoutLines = {
  chars: Object.fromEntries(
    ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
      .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
      .map((name) => [name, ""]),
  ),
  style: { "padding-left": 0, "padding-right": COLUMN_GAP, head: [], border: [] },
};
