import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The package schema. This file is separate, because the single executable contains the schema: see
 * tools/plugin/bundle.mjs.
 */
export function schemaText(): string {
  return readFileSync(join(__dirname, "../../plugin/schema.json"), "utf8");
}
