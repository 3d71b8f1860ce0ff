import { readFileSync } from "node:fs";
import { join } from "node:path";

const packageJson = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  readonly version: string;
  readonly bugs: { readonly url: string };
};

export const { version } = packageJson;

/** The header of all requests, to the API and to code hosts. */
export const userAgent = `pulumi-cloudinfra/${version}`;

export const issuesUrl = packageJson.bugs.url;
