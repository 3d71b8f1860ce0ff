import { z } from "zod";
import { dateTime } from "./primitives";

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const operationType = z.enum(["create", "update", "delete", "restart"]);

/** The states of an operation; `unknown` is never reached here. */
export const operationStatusSchema = z.enum(["pending", "running", "done", "failed", "unknown"]);

const operation = z.object({
  id: z.string(),
  kind: z.string(),
  type: operationType,
  status: operationStatusSchema,
  project_id: z.string(),
  resource_id: z.string().describe("Final from the first reply"),
  details: z
    .object({ changes: z.record(z.string(), z.object({ from: fieldValue, to: fieldValue })) })
    .nullable()
    .describe("What an update changes; null otherwise"),
  created_at: dateTime,
  updated_at: dateTime,
});

/** Operation (its fields are those of the public clients) of these kinds. */
export function operationSchema(kinds: readonly string[]) {
  return operation.extend({ kind: z.enum(kinds) });
}

/** Operation (its fields are those of the public clients). */
export type Operation = z.infer<typeof operation>;
