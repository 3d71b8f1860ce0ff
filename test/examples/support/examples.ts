import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../docs/support/markdown";

/** The names of the examples that are projects: each is a folder with a program. */
export function examples(): readonly string[] {
  const folder = join(ROOT, "examples");
  return readdirSync(folder).filter((name) => existsSync(join(folder, name, "Pulumi.yaml")));
}
