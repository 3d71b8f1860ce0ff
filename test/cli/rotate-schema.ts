import { z } from "zod";
import schema from "../../docs/rotate.schema.json";

/** The published schema of the output of `--check` or `--audit`. */
export function outputSchema(output: "check" | "audit"): z.ZodType {
  return z.fromJSONSchema({ $ref: `#/$defs/${output}`, $defs: schema.$defs } as Parameters<typeof z.fromJSONSchema>[0]);
}
