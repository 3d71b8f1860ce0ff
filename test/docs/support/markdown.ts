import { readFileSync, readdirSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** The root of this checkout. */
export const ROOT = resolve(__dirname, "../../..");

/** Every page of the documentation, as a path from the root. */
export function pages(): readonly string[] {
  const below = (folder: string): string[] =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(".md") && !entry.parentPath.includes("node_modules"))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
  return ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", ...below("docs"), ...below("examples")];
}

/** The text of a page. */
export function pageText(page: string): string {
  return readFileSync(join(ROOT, page), "utf8");
}

/** A fenced block, and the HTML comment before it, which tells tests what to do with it. */
export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly mark: string | undefined;
  readonly text: string;
}

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const text = pageText(page);
  const pattern = /(?:<!-- (?<mark>.*?) -->\n\n)?^```(?<language>\w*)\n(?<text>[^]*?)^```$/gm;
  return Array.from(text.matchAll(pattern), ({ index, groups }) => ({
    page,
    line: text.slice(0, index).split("\n").length,
    language: groups?.["language"] ?? "",
    mark: groups?.["mark"],
    text: groups?.["text"] ?? "",
  }));
}

/** The blocks of a page with a mark. */
export function marked(page: string, mark: string): readonly Block[] {
  return blocksOf(page).filter((block) => block.mark === mark);
}

/** The one block of a page with a mark. Throws if there are none or several. */
export function markedText(page: string, mark: string): string {
  const [block, ...others] = marked(page, mark);
  if (!block || others.length > 0) throw new Error(`${page} has ${others.length + (block ? 1 : 0)} blocks "${mark}"`);
  return block.text;
}

/** The cells of the table after a mark, by row, without the heading and without back-ticks. */
export function tableAfter(page: string, mark: string): readonly (readonly string[])[] {
  const text = pageText(page);
  const start = text.indexOf(`<!-- ${mark} -->`);
  if (start < 0) throw new Error(`${page} has no mark "${mark}"`);
  const table = /(?:^\|.*\|$\n)+/m.exec(text.slice(start))?.[0] ?? "";
  return table
    .trimEnd()
    .split("\n")
    .slice(2)
    .map((row) =>
      row
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll("`", "")),
    );
}
