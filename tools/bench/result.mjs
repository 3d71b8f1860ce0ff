import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { format } from "prettier";
import { comparisonTables } from "./compare/tables.mjs";
import { landingZoneTables } from "./landing-zone/tables.mjs";
import { startTables } from "./start/tables.mjs";
import { asText } from "./tables.mjs";

const TABLES = { compare: comparisonTables, "landing-zone": landingZoneTables, start: startTables };

/** The tables of a result, whatever bench it is of. */
export function tablesOf(result) {
  return TABLES[result.bench](result);
}

/** Shows a result on stdout, and writes it to a file if there is one. */
export async function present(result, file) {
  console.log(asText(tablesOf(JSON.parse(jsonOf(result)))));
  if (file !== undefined) await writeResult(result, file);
}

/** Writes a result as JSON, laid out as the repository has its files. */
export async function writeResult(result, file) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await format(jsonOf(result), { parser: "json", printWidth: 120 }));
}

/** Numbers to the hundredth: what comes behind is noise. */
function jsonOf(result) {
  return JSON.stringify(result, (_key, value) => (typeof value === "number" ? Math.round(value * 100) / 100 : value));
}
