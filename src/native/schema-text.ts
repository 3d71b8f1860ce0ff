import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package schema. It has its own file, because the single executable has it inside: see tools/plugin/bundle.mjs. */
export function schemaText(): string {
  return readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
}
