import { format } from "prettier";
import { machineInWords } from "../machine.mjs";
import { tablesOf } from "../result.mjs";
import { asMarkdown } from "../tables.mjs";

const MARKS = /<!-- result: (?<name>[\w-]+) -->[^]*?<!-- end -->/g;

/**
 * The page with each result between its marks, `<!-- result: compare -->` and `<!-- end -->`: how it was made, and its tables. Fails where
 * a mark names a result that there is not, or a result has no mark.
 */
export async function fillIn(page, results) {
  const filled = new Set();
  const text = page.replaceAll(MARKS, (_all, name) => {
    const result = results[name];
    if (result === undefined) throw new Error(`there is no docs/performance/${name}.json`);
    filled.add(name);
    const whence = `\`${result.command}\`; ${machineInWords(result.machine)}.`;
    return [`<!-- result: ${name} -->`, whence, asMarkdown(tablesOf(result)), "<!-- end -->"].join("\n\n");
  });
  const left = Object.keys(results).filter((name) => !filled.has(name));
  if (left.length > 0) throw new Error(`docs/performance.md has no mark for ${left.join(", ")}`);
  return format(text, { parser: "markdown", printWidth: 120 });
}
