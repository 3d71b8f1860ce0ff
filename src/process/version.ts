import { readFileSync } from "node:fs";
import { join } from "node:path";

const packageJson = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly bugs: { readonly url: string };
};

/** The version of this package. */
export const { version } = packageJson;

/** The address for reports of faults in this package. */
export const issuesUrl = packageJson.bugs.url;
