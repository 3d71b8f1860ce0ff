import type { Lookup } from "../../src/functions/lookup";

/** docs/functions.md, from the descriptions of the lookups. `files`: the page of each resource. */
export function lookupsPage(lookups: Readonly<Record<string, Lookup>>, files: Readonly<Record<string, string>>): string;
