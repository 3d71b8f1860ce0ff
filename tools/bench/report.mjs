// The tables of a result as Markdown: `npm run bench -- report <file>`, the file being what a bench has written with --json.
import { readFileSync } from "node:fs";
import { tablesOf } from "./result.mjs";
import { asMarkdown } from "./tables.mjs";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: npm run bench -- report <result.json>");
  process.exitCode = 2;
} else {
  console.log(asMarkdown(tablesOf(JSON.parse(readFileSync(file, "utf8")))));
}
