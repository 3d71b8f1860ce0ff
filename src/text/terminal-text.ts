import type { TableConstructorOptions } from "cli-table3";

/** Names come from the service, and may contain control characters for a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** A text of at most so many characters. A longer one ends in `…`. */
export function clipped(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

/** The same with `…` in the middle, because names often differ at their ends. */
export function clippedMiddle(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const tail = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, longest - 1 - tail).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

/** Between two columns. */
export const COLUMN_GAP = 2;

/** Columns without lines between them. */
export const columnsOnly: TableConstructorOptions = {
  chars: Object.fromEntries(
    ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"]
      .concat(["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"])
      .map((name) => [name, ""]),
  ),
  style: { "padding-left": 0, "padding-right": COLUMN_GAP, head: [], border: [] },
};

/** A table's text without the blanks at the ends of its lines. */
export function tableText(table: { toString(): string }): string {
  return table.toString().replace(/ +$/gm, "");
}
