import { stripVTControlCharacters } from "node:util";

/** Removes control characters, because names come from the API and may contain sequences for a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ");
}

/** Cuts a text to `longest` characters. A cut text ends in `…`. */
export function clipped(text: string, longest: number): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}

/** As `clipped`, but with `…` in the middle, because names often differ only at their ends. */
export function clippedMiddle(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const tail = Math.floor((longest - 1) / 2);
  return `${characters.slice(0, longest - 1 - tail).join("")}…${characters.slice(characters.length - tail).join("")}`;
}

/** Wraps lines between words at `width`. A continuation has the indent of its line and `hang`. */
export function wrapped(text: string, width = Infinity, hang = "  "): string {
  const lines = text.split("\n").flatMap((line) => {
    const indent = /^ */.exec(line)?.[0] ?? "";
    const found: string[] = [];
    let rest = line;
    while (stripVTControlCharacters(rest).length > width) {
      const end = rest.lastIndexOf(" ", width);
      if (rest.slice(0, end).trim() === "") break;
      found.push(rest.slice(0, end));
      rest = indent + hang + rest.slice(end + 1);
    }
    return [...found, rest];
  });
  return lines.join("\n");
}

/** The first texts and the number of the others: `a, b, c and 4 more`. */
export function listed(texts: readonly string[], most: number, separator = ", "): string {
  const others = texts.length - most;
  return texts.slice(0, most).join(separator) + (others > 0 ? ` and ${others} more` : "");
}
