// Writes the results of docs/performance/*.json into docs/performance.md, between its marks: `npm run bench -- docs [--check] [--folder docs]`.
// With --check nothing is written, and the exit code is 1 if the page would change.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "../help.mjs";
import { ROOT } from "../setup/paths.mjs";
import { fillIn } from "./docs/page.mjs";

const values = readCommandLine("bench", {
  check: { type: "boolean", default: false },
  folder: { type: "string", default: join(ROOT, "docs") },
});
const inFolder = (...names) => join(values.folder, ...names);
const read = (file) => readFileSync(file, "utf8");

const results = Object.fromEntries(
  readdirSync(inFolder("performance"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(/\.json$/, ""), JSON.parse(read(inFolder("performance", name)))]),
);
const page = inFolder("performance.md");
const text = await fillIn(read(page), results);
if (read(page) !== text && values.check) {
  console.error(`docs/performance.md is not what docs/performance/*.json gives: run "npm run bench -- docs".`);
  process.exitCode = 1;
} else if (read(page) !== text) {
  writeFileSync(page, text);
  console.error("docs/performance.md is written");
}
