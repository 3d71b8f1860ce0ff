import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type * as Yaml from "yaml";
import { z } from "zod";

const projectFile = z.object({ name: z.string() });

/** The name of the Pulumi project in the folder or above it. Undefined if there is none, or if its file is no YAML. */
export function projectName(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    for (const file of ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"]) {
      const text = textOf(join(at, file));
      if (text !== undefined) return nameIn(text);
    }
    if (dirname(at) === at) return undefined;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}

function nameIn(text: string): string | undefined {
  try {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when it is needed
    const { parse } = require("yaml") as typeof Yaml;
    return projectFile.safeParse(parse(text, { logLevel: "error" })).data?.name;
  } catch {
    return undefined;
  }
}
