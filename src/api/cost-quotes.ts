import { z } from "zod";
import { dateTime } from "../time/date-time";
import { amountText } from "./schema";

/** Specification section 2.6, CostUsageDimensionBody: a price without the name of its dimension. */
const usageDimensionBody = z.looseObject({
  quantity: z.number().int(),
  unit_price: amountText,
  monthly_amount: amountText,
});

/** Specification section 2.6, CostUsageDimension: a priced row. */
const usageDimension = usageDimensionBody.extend({
  dimension: z.string(),
  dimension_display_name: z.string(),
});

/** OrganizationBillingSummaryResponse, only for callers who may see billing. */
const billingSummary = z.looseObject({
  daily_cost: amountText,
  effective_balance: amountText,
  monthly_cost: amountText,
  recharge_threshold_days: amountText,
  estimated_next_charge_at: dateTime.nullish(),
  runway_months: amountText.nullish(),
});
export type BillingSummary = z.infer<typeof billingSummary>;

/** The specification does not show the fields of a summary, so one of another form does not invalidate the prices. */
const summary = billingSummary.nullish().catch(undefined);
const summaries = { current_summary: summary, updated_summary: summary };

/** Specification section 2.6, CostQuoteResponse. */
export const costQuote = z.looseObject({
  currency: z.string(),
  monthly_total: amountText,
  priced_at: dateTime,
  usage_dimensions: z.array(usageDimension),
  ...summaries,
});
export type CostQuote = z.infer<typeof costQuote>;

const costQuoteBody = z.looseObject({ monthly_total: amountText, usage_dimensions: z.array(usageDimension) });

/** Specification section 2.6, CostQuoteUpdateResponse: before, after, and after minus before. */
export const costQuoteUpdate = z.looseObject({
  currency: z.string(),
  priced_at: dateTime,
  before: costQuoteBody,
  after: costQuoteBody,
  diff: z.looseObject({
    monthly_total_delta: amountText,
    usage_dimensions: z.array(
      z.looseObject({
        dimension: z.string(),
        dimension_display_name: z.string(),
        before: usageDimensionBody,
        after: usageDimensionBody,
        monthly_amount_delta: amountText,
      }),
    ),
  }),
  ...summaries,
});
export type CostQuoteUpdate = z.infer<typeof costQuoteUpdate>;
