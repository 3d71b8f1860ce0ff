import { z } from "zod";
import type { Dialect } from "../model/catalogs";
import { grouped, quotaKeysOf } from "../model/quota-ledger";
import { billingSummarySchema } from "./billing";
import { dateTime, decimal } from "./primitives";

/** HTTPError (section 7.1). */
export const httpErrorSchema = z
  .object({
    type: z.string().describe("Machine-readable error type; clients match on this, not on message"),
    message: z.string(),
    request_id: z.string(),
    timestamp: dateTime,
    context: z.object({
      parameters: z.record(z.string(), z.unknown()).describe("Empty when there are none"),
    }),
  })
  .meta({ id: "HTTPError" });

export type HttpError = z.infer<typeof httpErrorSchema>;

const fieldValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

export const operationType = z.enum(["create", "update", "delete", "restart"]);

/** The states of an operation. The simulator never uses `unknown`. */
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

export type Operation = z.infer<typeof operation>;

const quotaDetail = z.object({ limit: z.int(), remaining: z.int(), used: z.int() });

/** An object for each group of names, as in `networking.vpcs`. All its members have the same schema. */
export function groupSchemas(names: readonly string[], member: z.ZodType): Record<string, z.ZodObject> {
  const groups = Object.entries(grouped(names, () => member));
  return Object.fromEntries(groups.map(([group, shape]) => [group, z.object(shape)]));
}

/** Quota (section 2.11) in a dialect. */
export function quotaSchema(dialect: Dialect) {
  return z.object({ region: z.string(), ...groupSchemas(quotaKeysOf(dialect), quotaDetail) });
}

/** AuditLog (section 2.4). */
export const auditLogSchema = z.object({
  id: z.string(),
  action: z.string(),
  actor: z.object({ id: z.string(), name: z.string().nullable(), type: z.enum(["user", "api_key"]) }),
  client_ip: z.string(),
  created_at: dateTime,
  method: z.string(),
  path: z.string(),
  status_code: z.int(),
  user_agent: z.string(),
  target: z.object({ id: z.string(), type: z.string() }).nullish(),
});

export type AuditLog = z.infer<typeof auditLogSchema>;

const amounts = { quantity: z.int(), unit_price: decimal, monthly_amount: decimal };

const names = { dimension: z.string(), dimension_display_name: z.string() };

/** CostUsageDimension (section 2.6). */
const usageDimension = z.object({ ...names, ...amounts });

const summaries = {
  current_summary: billingSummarySchema.optional(),
  updated_summary: billingSummarySchema.optional(),
};

const quoteBody = z.object({ monthly_total: decimal, usage_dimensions: z.array(usageDimension) });

/** CostQuoteResponse (section 2.6). */
export const costQuoteSchema = z.object({
  currency: z.literal("USD"),
  priced_at: dateTime,
  ...quoteBody.shape,
  ...summaries,
});

/** CostQuoteUpdateResponse (section 2.6). */
export const costQuoteUpdateSchema = z.object({
  currency: z.literal("USD"),
  priced_at: dateTime,
  before: quoteBody,
  after: quoteBody,
  diff: z.object({
    monthly_total_delta: decimal,
    usage_dimensions: z.array(
      z.object({ ...names, before: z.object(amounts), after: z.object(amounts), monthly_amount_delta: decimal }),
    ),
  }),
  ...summaries,
});

export type CostQuote = z.infer<typeof costQuoteSchema>;
export type CostQuoteUpdate = z.infer<typeof costQuoteUpdateSchema>;
