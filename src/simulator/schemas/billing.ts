import { z } from "zod";
import { dateTime, decimal, identity } from "./primitives";

/** BillingHistoryEntry (section 2.5): a payment or a refund. */
export const billingEntry = z.object({
  ...identity,
  organization_id: z.string(),
  type: z.enum(["grant", "adjustment"]),
  /** Negative for a refund. */
  amount: decimal,
  currency: z.string(),
  description: z.string().nullable(),
  /** Why the entry exists. */
  purpose: z
    .enum([
      ...(["first_charge", "auto_recharge", "manual_top_up", "manual_recharge"] as const),
      ...(["bonus_grant", "bonus_void", "bonus_expiry", "refund", "dispute"] as const),
    ])
    .nullable(),
  receipt_url: z.string().nullable(),
});

export type BillingEntry = Readonly<z.infer<typeof billingEntry>>;

/** When and how much an organization is charged (section 2.5): on request or automatically. */
export const rechargePolicy = z.object({
  ...identity,
  organization_id: z.string(),
  policy: z.enum(["manual", "automatic"]),
  policy_args: z.object({ fixed: decimal, runway_days: decimal, monthly_cap: decimal.nullable() }).nullable(),
});

export type RechargePolicy = Readonly<z.infer<typeof rechargePolicy>>;

/** OrganizationBillingSummaryResponse (its fields are those of the public clients). */
export const billingSummarySchema = z.object({
  daily_cost: decimal,
  effective_balance: decimal,
  monthly_cost: decimal,
  recharge_threshold_days: decimal,
  estimated_next_charge_at: dateTime.nullable(),
  runway_months: decimal.nullable(),
});

export type BillingSummary = z.infer<typeof billingSummarySchema>;
