import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The version of this package. */
export const version: string = (
  JSON.parse(readFileSync(join(__dirname, "..", "package.json"), "utf8")) as { readonly version: string }
).version;
