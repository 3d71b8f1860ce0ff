import { z } from "zod";
import type { CostDocument } from "../../src/cost/cost-document";
import schema from "../../docs/cost.schema.json";

const published = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

export type ShownReport = CostDocument["stacks"][number];

/** The output of `cloudinfra cost --format json`, which must have the form of the published schema. */
export function documentOf({ stdout }: { readonly stdout: string }): CostDocument {
  const document: unknown = JSON.parse(stdout);
  expect(published.safeParse(document).error).toBeUndefined();
  return document as CostDocument;
}
