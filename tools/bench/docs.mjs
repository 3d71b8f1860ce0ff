// Writes the results of docs/performance/*.json into docs/performance.md, between its marks, and draws docs/performance.svg:
// `npm run bench -- docs [--check] [--folder docs]`. With --check nothing is written: what would change is named, and the exit code is 1.
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCommandLine } from "../help.mjs";
import { ROOT } from "../setup/paths.mjs";
import { drawChart } from "./compare/chart.mjs";
import { fillIn } from "./docs/page.mjs";

const values = readCommandLine("bench", {
  check: { type: "boolean", default: false },
  folder: { type: "string", default: join(ROOT, "docs") },
});
const inFolder = (...names) => join(values.folder, ...names);
const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : "");

const results = Object.fromEntries(
  readdirSync(inFolder("performance"))
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.replace(/\.json$/, ""), JSON.parse(read(inFolder("performance", name)))]),
);
const made = {
  "performance.md": await fillIn(read(inFolder("performance.md")), results),
  "performance.svg": drawChart(results.compare),
};
for (const [name, text] of Object.entries(made)) {
  if (read(inFolder(name)) === text) continue;
  if (values.check) {
    console.error(`docs/${name} is not what docs/performance/*.json gives: run "npm run bench -- docs".`);
    process.exitCode = 1;
  } else {
    writeFileSync(inFolder(name), text);
    console.error(`docs/${name} is written`);
  }
}
