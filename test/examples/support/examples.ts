import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../docs/support/markdown";

/** The names of the examples: each is a folder with a program. */
export function examples(): readonly string[] {
  return readdirSync(join(ROOT, "examples"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
}
