import { z } from "zod";
import first from "../../docs/cost-1.schema.json";
import schema from "../../docs/cost.schema.json";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** What the published schema says of the output of `cloudinfra cost --format json`. */
export const outputSchema: z.ZodType = z.fromJSONSchema(schema as JsonSchema);

/** The same of `--schema-version 1`. */
export const firstSchema: z.ZodType = z.fromJSONSchema(first as JsonSchema);
