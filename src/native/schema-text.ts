import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The package schema. A file of its own, because the single executable has it inside: see tools/plugin/bundle.mjs. */
export function schemaText(): string {
  return readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
}
