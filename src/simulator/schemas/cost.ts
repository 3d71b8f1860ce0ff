import { z } from "zod";
import { dateTime, decimal } from "./primitives";

const amounts = { quantity: z.int(), unit_price: decimal, monthly_amount: decimal };

const names = { dimension: z.string(), dimension_display_name: z.string() };

/** CostUsageDimension (section 2.6). */
const usageDimension = z.object({ ...names, ...amounts });

/** OrganizationBillingSummaryResponse (its fields are those of the public clients). */
export const billingSummarySchema = z.object({
  daily_cost: decimal,
  effective_balance: decimal,
  monthly_cost: decimal,
  recharge_threshold_days: decimal,
  estimated_next_charge_at: dateTime.nullable(),
  runway_months: decimal.nullable(),
});

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

/** CostQuoteBody (section 2.6). */
export type CostQuoteBody = z.infer<typeof quoteBody>;
/** CostQuoteResponse (section 2.6). */
export type CostQuote = z.infer<typeof costQuoteSchema>;
/** CostQuoteUpdateResponse (section 2.6). */
export type CostQuoteUpdate = z.infer<typeof costQuoteUpdateSchema>;
/** OrganizationBillingSummaryResponse (section 2.6). */
export type BillingSummary = z.infer<typeof billingSummarySchema>;
