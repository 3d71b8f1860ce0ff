import type { Definition } from "../../src/definition/types";
import type { Lookup } from "../../src/functions/lookup";

/** docs/endpoints.md. `endpoints`: those of the simulator, in every dialect. Throws for one that is neither used nor explained. */
export function endpointsPage(of: {
  readonly endpoints: readonly { readonly method: string; readonly path: string }[];
  readonly definitions: readonly Definition[];
  readonly lookups: Readonly<Record<string, Lookup>>;
}): string;
