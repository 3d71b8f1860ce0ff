// Writes the results of docs/performance/*.json between the marks in docs/performance.md: `npm run bench -- docs
// [--check]`. With --check it writes nothing, and exits with code 1 if the page would change.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "prettier";
import { readCommandLine } from "../help.mjs";
import { ROOT } from "../setup/paths.mjs";
import { asMarkdown, tablesOf } from "./results.mjs";

const MARKS = /<!-- result: (?<name>[\w-]+) -->[^]*?<!-- end -->/g;

const { check } = readCommandLine("bench", { check: { type: "boolean", default: false } });
const inFolder = (...names) => join(ROOT, "docs", ...names);
const read = (file) => readFileSync(file, "utf8");

const results = Object.fromEntries(
  readdirSync(inFolder("performance"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(/\.json$/, ""), JSON.parse(read(inFolder("performance", name)))]),
);
const page = inFolder("performance.md");
const text = await fillIn(read(page), results);
if (read(page) !== text && check) {
  console.error(
    `docs/performance.md differs from the results in docs/performance/*.json: run "npm run bench -- docs".`,
  );
  process.exitCode = 1;
} else if (read(page) !== text) {
  writeFileSync(page, text);
  console.error("docs/performance.md is written");
}

/**
 * Inserts each result between its marks, `<!-- result: compare -->` and `<!-- end -->`: how it was measured, and its
 * tables. Fails if a mark names no result, or a result has no mark.
 */
async function fillIn(page, results) {
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

/** Describes a machine in one line. */
function machineInWords({ date, cores, processor, memoryGb, system, load, node, engine }) {
  const hardware = `${cores} cores (${processor}), ${memoryGb} GB, ${system}, load ${load} before`;
  return `${date}, ${hardware}, Node ${node}, Pulumi ${engine}`;
}
