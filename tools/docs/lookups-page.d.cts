import type { DescribedLookup } from "./descriptions.cjs";

/** docs/functions.md, from the descriptions of the lookups. `files`: the page of each resource. */
export function lookupsPage(
  lookups: Readonly<Record<string, DescribedLookup>>,
  files: Readonly<Record<string, string>>,
): string;
