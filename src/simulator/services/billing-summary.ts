import { Decimal } from "../model/decimal";
import { formatDecimal } from "../model/prices";
import { seededIds } from "../model/seed";
import { dayMs, formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import type { BillingSummary } from "../schemas/cost";

const daysPerMonth = 30;

/** OrganizationBillingSummaryResponse (section 2.6) of an organization, with an additional monthly cost. */
export function billingSummary(world: World, organizationId: string, delta = new Decimal(0)): BillingSummary {
  const isUsed = organizationId === seededIds.organization;
  const monthlyCost = (isUsed ? world.prices.total(world.bookkeeping.running.all()) : new Decimal(0)).plus(delta);
  const { nowMs } = world;
  const account = world.bookkeeping.account(organizationId);
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
