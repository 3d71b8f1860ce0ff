import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const NAME = "pulumi-language-nodejs";

/**
 * A PATH on which Pulumi's host of Node programs has its TypeScript off. Hosts of releases read the option `typescript: false` of Pulumi.yaml;
 * the one that this clone builds is older, and knows it as a flag only. Fails where there is no host on PATH.
 */
export function pathWithoutTypeScript(folder, path = process.env.PATH) {
  const host = path
    .split(delimiter)
    .map((each) => join(each, NAME))
    .find((file) => existsSync(file));
  if (host === undefined) throw new Error(`${NAME} is not on PATH`);
  const wrapped = join(folder, "language-host");
  mkdirSync(wrapped, { recursive: true });
  writeFileSync(join(wrapped, NAME), `#!/bin/sh\nexec "${host}" -typescript=false "$@"\n`, { mode: 0o755 });
  return [wrapped, path].join(delimiter);
}
