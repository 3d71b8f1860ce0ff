import { clipped, printable } from "../terminal-text";

const LONGEST = 300;

/**
 * A name as Markdown: in a code span nothing is a link, a mention or markup. The two characters that could end the span or
 * the cell of a table have doubles.
 */
export function markdownCode(text: string): string {
  const safe = clipped(printable(text), LONGEST).replaceAll("`", "ˋ").replaceAll("|", "¦").trim();
  return `\`${safe === "" ? " " : safe}\``;
}

/**
 * A sentence as Markdown. Words that are plain letters, or a number, stay as they are; whatever else there is goes into code
 * spans, so that a name or a reason can neither break a table, nor write HTML, nor mention anybody, nor link anywhere.
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
