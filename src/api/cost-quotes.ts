import { z } from "zod";
import { dateTime, decimal } from "./schema";

/** Specification section 2.6, CostUsageDimensionBody: a price without the name of its dimension. */
export const usageDimensionBody = z.looseObject({
  quantity: z.number().int(),
  unit_price: decimal,
  monthly_amount: decimal,
});

/** Specification section 2.6, CostUsageDimension: a priced row. */
export const usageDimension = usageDimensionBody.extend({
  dimension: z.string(),
  dimension_display_name: z.string(),
});
export type UsageDimension = z.infer<typeof usageDimension>;

/** OrganizationBillingSummaryResponse, only for callers who may see billing. */
export const billingSummary = z.looseObject({
  daily_cost: decimal,
  effective_balance: decimal,
  monthly_cost: decimal,
  recharge_threshold_days: decimal,
  estimated_next_charge_at: dateTime.nullish(),
  runway_months: decimal.nullish(),
});
export type BillingSummary = z.infer<typeof billingSummary>;

const summaries = { current_summary: billingSummary.nullish(), updated_summary: billingSummary.nullish() };

/** Specification section 2.6, CostQuoteResponse. */
export const costQuote = z.looseObject({
  currency: z.string(),
  monthly_total: decimal,
  priced_at: dateTime,
  usage_dimensions: z.array(usageDimension),
  ...summaries,
});
export type CostQuote = z.infer<typeof costQuote>;

const costQuoteBody = z.looseObject({ monthly_total: decimal, usage_dimensions: z.array(usageDimension) });

/** Specification section 2.6, CostQuoteUpdateResponse: before, after, and after minus before. */
export const costQuoteUpdate = z.looseObject({
  currency: z.string(),
  priced_at: dateTime,
  before: costQuoteBody,
  after: costQuoteBody,
  diff: z.looseObject({
    monthly_total_delta: decimal,
    usage_dimensions: z.array(
      z.looseObject({
        dimension: z.string(),
        dimension_display_name: z.string(),
        before: usageDimensionBody,
        after: usageDimensionBody,
        monthly_amount_delta: decimal,
      }),
    ),
  }),
  ...summaries,
});
export type CostQuoteUpdate = z.infer<typeof costQuoteUpdate>;
