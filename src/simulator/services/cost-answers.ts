import { seededIds } from "../model/catalogs";
import { Decimal, formatDecimal, type Prices, type Usage } from "../model/prices";
import { dayMs, formatTimestamp } from "../model/time";
import type { CostQuote, CostQuoteUpdate } from "../schemas/answers";
import type { BillingSummary } from "../schemas/billing";
import type { Call } from "./call";

/** CostQuoteResponse (section 2.6) for a resource with these usages. */
export function quote(call: Call, usages: readonly Usage[]): CostQuote {
  const { prices } = call.world;
  return {
    currency: "USD",
    priced_at: formatTimestamp(call.nowMs),
    ...quoteBody(prices, usages),
    ...summaries(call, prices.total(usages)),
  };
}

/**
 * CostQuoteUpdateResponse (section 2.6) for a resource that uses `before` now and would use `after`, both at current
 * prices.
 */
export function quoteUpdate(call: Call, before: readonly Usage[], after: readonly Usage[]): CostQuoteUpdate {
  const { prices } = call.world;
  const delta = prices.total(after).minus(prices.total(before));
  const touched = new Set([...before, ...after].map(({ dimension }) => dimension));
  return {
    currency: "USD",
    priced_at: formatTimestamp(call.nowMs),
    before: quoteBody(prices, before),
    after: quoteBody(prices, after),
    diff: {
      monthly_total_delta: formatDecimal(delta),
      usage_dimensions: [...touched].map((dimension) => {
        const was = prices.price({ dimension, quantity: quantityOf(before, dimension) });
        const will = prices.price({ dimension, quantity: quantityOf(after, dimension) });
        return {
          dimension,
          dimension_display_name: was.displayName,
          before: amounts(was),
          after: amounts(will),
          monthly_amount_delta: formatDecimal(will.monthlyAmount.minus(was.monthlyAmount)),
        };
      }),
    },
    ...summaries(call, delta),
  };
}

function quantityOf(usages: readonly Usage[], dimension: string): number {
  return usages.find((usage) => usage.dimension === dimension)?.quantity ?? 0;
}

function quoteBody(prices: Prices, usages: readonly Usage[]) {
  return {
    monthly_total: formatDecimal(prices.total(usages)),
    usage_dimensions: usages.map((usage) => {
      const row = prices.price(usage);
      return { dimension: row.dimension, dimension_display_name: row.displayName, ...amounts(row) };
    }),
  };
}

function amounts({ quantity, unitPrice, monthlyAmount }: ReturnType<Prices["price"]>) {
  return { quantity, unit_price: formatDecimal(unitPrice), monthly_amount: formatDecimal(monthlyAmount) };
}

/** Both summaries, at the same time. None without usage:read, which billing needs here. */
function summaries({ world, caller, nowMs }: Call, delta: Decimal) {
  if (!caller.may("usage", "read")) return {};
  return {
    current_summary: billingSummary({ world, nowMs }, seededIds.organization),
    updated_summary: billingSummary({ world, nowMs }, seededIds.organization, delta),
  };
}

const daysPerMonth = 30;

/** OrganizationBillingSummaryResponse (section 2.6) of an organization, with an additional monthly cost. */
export function billingSummary(
  { world, nowMs }: Pick<Call, "world" | "nowMs">,
  organizationId: string,
  delta = new Decimal(0),
): BillingSummary {
  const isUsed = organizationId === seededIds.organization;
  const monthlyCost = (isUsed ? world.prices.total(world.billing.usage.running.all()) : new Decimal(0)).plus(delta);
  const account = world.billing.account(organizationId);
  const balance = account.balance(nowMs);
  const dailyCost = monthlyCost.dividedBy(daysPerMonth);
  const runsNothing = dailyCost.isZero();
  const untilCharge = balance.minus(account.threshold(dailyCost.dividedBy(24)));
  return {
    daily_cost: formatDecimal(dailyCost.toDecimalPlaces(4)),
    effective_balance: formatDecimal(balance),
    monthly_cost: formatDecimal(monthlyCost),
    recharge_threshold_days: formatDecimal(account.thresholdDays()),
    estimated_next_charge_at: runsNothing ? null : chargeDate(untilCharge.dividedBy(dailyCost), nowMs),
    runway_months: runsNothing ? null : formatDecimal(balance.dividedBy(monthlyCost).toDecimalPlaces(2)),
  };
}

/** The day of the next charge. Null if no date can express it. */
function chargeDate(days: Decimal, nowMs: number): string | null {
  const dateMs = Decimal.max(0, days).times(dayMs).plus(nowMs).floor();
  return dateMs.lessThan(253_402_300_800_000) ? formatTimestamp(dateMs.toNumber()) : null;
}
