import { randomUUID } from "node:crypto";
import type { ObjectLifecycle, StoredObject } from "./object-lifecycle";
import { Decimal, formatDecimal, hoursOf, meteredInstant } from "./prices";
import { formatTimestamp } from "./time";
import type { BillingEntry, RechargePolicy } from "../schemas/billing";

type BillingPurpose = BillingEntry["purpose"];

export interface BillingWorld {
  readonly nowMs: number;
  find(key: string, id: string): StoredObject | undefined;
  kept(key: string, name: string): readonly StoredObject[];
  lifecycleOf(key: string): ObjectLifecycle<StoredObject>;
}

/** The number of days that the balance must last at the run rate, without an automatic policy. Made up. */
const manualThresholdDays = new Decimal(7);

/** The additional days that a recharge pays for beyond the threshold. Made up. */
const daysOfRecharge = 30;

/**
 * The balance of an organization: its payments minus its usage, exact to the last digit. Each request first makes the
 * charge that is due.
 */
export class BillingAccount {
  #spent = new Decimal(0);
  #hourlyCost = new Decimal(0);
  /** The usage until this instant is in `#spent`. Since then, the hourly cost is unchanged. */
  #sinceMs: number;

  constructor(
    private readonly world: BillingWorld,
    private readonly organizationId: string,
  ) {
    this.#sinceMs = world.nowMs;
  }

  spent(atMs: number): Decimal {
    const metered = meteredInstant(atMs) - meteredInstant(this.#sinceMs);
    return this.#spent.plus(hoursOf(this.#hourlyCost.times(metered)));
  }

  get isAutomatic(): boolean {
    return this.#policy() !== null;
  }

  balance(atMs: number): Decimal {
    return this.#paid().minus(this.spent(atMs));
  }

  /** The number of days that the balance must last at the run rate. */
  thresholdDays(): Decimal {
    const policy = this.#policy();
    return policy ? new Decimal(policy.runway_days) : manualThresholdDays;
  }

  /** The balance below which an organization is charged, at this hourly cost. */
  threshold(hourlyCost = this.#hourlyCost): Decimal {
    const proportional = hourlyCost.times(24).times(this.thresholdDays());
    return Decimal.max(proportional, this.#policy()?.fixed ?? 0);
  }

  /** Sets the hourly cost from this instant on. */
  changeRate(hourlyCost: Decimal, atMs: number): void {
    this.#spendUntil(atMs);
    this.#hourlyCost = hourlyCost;
  }

  /** Makes the charge that is due, and shows the state that the balance leads to. */
  review(atMs: number): void {
    this.#spendUntil(atMs);
    if (this.isAutomatic && this.balance(atMs).lessThan(this.threshold()))
      this.#enter(this.#toCharge(), "auto_recharge");
    this.#showState(this.balance(atMs));
  }

  credit(amount: Decimal, purpose: BillingPurpose, atMs: number): void {
    this.#spendUntil(atMs);
    this.#enter(amount, purpose);
    this.review(atMs);
  }

  /** Charges up to the target balance now. */
  rechargeNow(atMs: number): void {
    this.#spendUntil(atMs);
    this.credit(this.#missing(), "manual_recharge", atMs);
  }

  #spendUntil(atMs: number): void {
    if (atMs <= this.#sinceMs) return;
    this.#spent = this.spent(atMs);
    this.#sinceMs = atMs;
  }

  #paid(): Decimal {
    return this.#entries().reduce((paid, { amount }) => paid.plus(amount), new Decimal(0));
  }

  /** The missing part of the target balance, in whole cents. */
  #missing(): Decimal {
    const target = this.threshold().plus(this.#hourlyCost.times(24).times(daysOfRecharge));
    const missing = target.minus(this.#paid().minus(this.#spent)).toDecimalPlaces(2, Decimal.ROUND_UP);
    return Decimal.max(missing, 0);
  }

  /** The amount to charge automatically now, up to the month's cap. */
  #toCharge(): Decimal {
    const missing = this.#missing();
    const cap = this.#policy()?.monthly_cap;
    if (cap === null || cap === undefined) return missing;
    const month = formatTimestamp(this.#sinceMs).slice(0, 7);
    const charged = this.#entries()
      .filter(({ purpose, created_at }) => purpose === "auto_recharge" && created_at.startsWith(month))
      .reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
    return Decimal.max(Decimal.min(missing, new Decimal(cap).minus(charged)), 0);
  }

  #enter(amount: Decimal, purpose: BillingPurpose): void {
    if (amount.isZero()) return;
    const now = formatTimestamp(this.#sinceMs);
    const id = randomUUID();
    const entry: BillingEntry = {
      ...{ id, organization_id: this.organizationId, type: "grant", purpose },
      ...{ amount: formatDecimal(amount), currency: "USD", description: null },
      ...{ receipt_url: `https://receipts.invalid/${id}`, created_at: now, updated_at: now },
    };
    this.world.lifecycleOf("billingHistory").put(entry);
  }

  /** Sets the state according to the balance. A suspended or closed organization keeps its state. */
  #showState(balance: Decimal): void {
    const organization = this.world.find("organizations", this.organizationId) as
      { billing_state?: string } | undefined;
    const state = organization?.billing_state;
    if (state === undefined || state === "suspended" || state === "closed") return;
    const isFunded = this.#entries().length > 0;
    const is = balance.greaterThan(0) ? "active" : isFunded ? "requires_action" : "unfunded";
    if (is === state) return;
    const members = { billing_state: is, billing_state_since: formatTimestamp(this.#sinceMs) };
    this.world.lifecycleOf("organizations").table.update(this.organizationId, members as Partial<StoredObject>);
  }

  #entries(): readonly BillingEntry[] {
    return this.world.kept("billingHistory", this.organizationId) as readonly BillingEntry[];
  }

  /** The thresholds of an automatic policy. Null for a manual one. */
  #policy(): RechargePolicy["policy_args"] {
    const [kept] = this.world.kept("rechargePolicies", this.organizationId) as readonly RechargePolicy[];
    return kept?.policy === "automatic" ? kept.policy_args : null;
  }
}
