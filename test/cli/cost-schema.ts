import { z } from "zod";
import schema from "../../docs/cost.schema.json";

type JsonSchema = Parameters<typeof z.fromJSONSchema>[0];

/** The published schema of the output of `cloudinfra cost --format json`. */
export const outputSchema: z.ZodType = z.fromJSONSchema(schema as JsonSchema);

/** The report on one stack in that output, as far as tests read it. */
export interface ShownReport {
  readonly before: string;
  readonly after: string;
  readonly delta: string;
  readonly atLeast: boolean;
  readonly resources: readonly Readonly<Record<string, unknown>>[];
  readonly notes: readonly string[];
}

export interface ShownDocument {
  readonly stacks: readonly ShownReport[];
  readonly overBudget: readonly Readonly<Record<string, unknown>>[];
}

/** The output, which must have the form of the schema. */
export function documentOf({ stdout }: { readonly stdout: string }): ShownDocument {
  const document: unknown = JSON.parse(stdout);
  expect(outputSchema.safeParse(document).error).toBeUndefined();
  return document as ShownDocument;
}
