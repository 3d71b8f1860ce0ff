import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type * as Yaml from "yaml";

/** The file of the Pulumi project, in the folder or above it. */
export function projectFile(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const file = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"].map((name) => join(at, name)).find(existsSync);
    if (file !== undefined || dirname(at) === at) return file;
  }
}

/** The content of a YAML file. Undefined if it cannot be read, or is not YAML. */
export function yamlIn(file: string): unknown {
  try {
    const { parse } = require("yaml") as typeof Yaml;
    return parse(readFileSync(file, "utf8"), { logLevel: "error" });
  } catch {
    return undefined;
  }
}
