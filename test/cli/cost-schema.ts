import { z } from "zod";
import schema from "../../docs/cost.schema.json";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** The published schema of the output of `cloudinfra cost --format json`. */
export const outputSchema: z.ZodType = z.fromJSONSchema(schema as JsonSchema);
