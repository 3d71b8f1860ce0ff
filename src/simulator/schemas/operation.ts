import { z } from "zod";
import { dateTime } from "./primitives";

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** The kinds of operations that there are here. */
export const operationKind = z.enum(["vpc", "firewall_rule", "connect_connection"]);

/** The kinds of operations that can be asked for, those of what is not simulated too. */
export const operationKindFilter = z.enum([
  ...operationKind.options,
  ...(["vm", "volume", "nks_cluster", "nks_node_pool", "nks_load_balancer", "nks_node"] as const),
]);

/** The types of operations. */
export const operationType = z.enum(["create", "update", "delete", "restart"]);

/** The states of an operation; `unknown` is never reached here. */
export const operationStatusSchema = z.enum(["pending", "running", "done", "failed", "unknown"]);

/** Operation (its fields are those of the public clients). */
export const operationSchema = z.object({
  id: z.string(),
  kind: operationKind,
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

/** Operation (its fields are those of the public clients). */
export type Operation = z.infer<typeof operationSchema>;
