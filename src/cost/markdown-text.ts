import { clipped, printable } from "../text/terminal-text";

const LONGEST = 300;

/**
 * A name as a code span of Markdown, in which there are no links, mentions or markup. The two characters that could end the span or
 * the cell of a table are replaced.
 */
export function markdownCode(text: string): string {
  const safe = clipped(printable(text), LONGEST).replaceAll("`", "ˋ").replaceAll("|", "¦").trim();
  return `\`${safe === "" ? " " : safe}\``;
}

/**
 * A sentence as Markdown. Plain words and numbers stay. Everything else goes into code spans, so a name or a reason cannot
 * break a table, write HTML, mention anybody or link anywhere.
 */
export function markdownText(text: string): string {
  const words = clipped(printable(text), LONGEST)
    .split(" ")
    .filter((word) => word !== "");
  return words.map(wordAsMarkdown).join(" ").replaceAll("` `", " ");
}

function wordAsMarkdown(word: string): string {
  if (PLAIN_WORD.test(word)) return word.replace("<", "&lt;");
  const [, body = "", end = ""] = /^(.+?)([,.:;]*)$/su.exec(word) ?? [];
  return markdownCode(body) + end;
}

/** `name,`  `(as`  `2.5`  `+$3.00/mo`  `<$0.01`  `→`  `-` */
const PLAIN_WORD = /^(?:→|-|\(?[-+]?(?:<?\$)?(?:\p{L}+(?:[-'’]\p{L}+)*|\d+(?:,\d{3})*(?:\.\d+)?(?:\/mo|%)?)[),.:;]*)$/u;
