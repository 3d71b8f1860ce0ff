import { BillingAccount, type BillingWorld } from "./billing-account";
import { seededIds } from "./catalogs";
import type { Decimal, Prices, Usage } from "./prices";
import { type Resource, UsageLedger } from "./usage-ledger";

/** The usage of resources, and the payments of organizations. */
export class Billing {
  readonly usage: UsageLedger;
  /** The charging requests by their idempotency keys, with their answers. */
  readonly paidRequests = new Map<string, { readonly request: string; readonly answer: object }>();
  /** The names of deleted projects, because statements still show them. */
  readonly formerProjects = new Map<string, string>();
  readonly #accounts = new Map<string, BillingAccount>();

  constructor(
    private readonly prices: Prices,
    private readonly world: BillingWorld,
  ) {
    this.usage = new UsageLedger(prices);
  }

  /** Payments and usage of an organization. Only the keys' own organization uses anything. */
  account(organizationId: string): BillingAccount {
    let account = this.#accounts.get(organizationId);
    if (!account) {
      account = new BillingAccount(this.world, organizationId);
      this.#accounts.set(organizationId, account);
    }
    return account;
  }

  /** Bills a resource for exactly this from now on. */
  bill(resource: Resource, usages: readonly Usage[]): void {
    this.usage.set(resource, usages, this.world.nowMs);
    this.#changeRate();
  }

  /** Bills a resource no longer. */
  endBill(id: string): void {
    this.usage.end(id, this.world.nowMs);
    this.#changeRate();
  }

  /** Sets a new price of a dimension. Past usage keeps the old one. */
  setPrice(dimension: string, unitPrice: Decimal): void {
    this.prices.set(dimension, unitPrice, this.world.nowMs);
    this.#changeRate();
  }

  /** Brings all accounts up to date. */
  review(): void {
    for (const account of this.#accounts.values()) account.review(this.world.nowMs);
  }

  #changeRate(): void {
    this.account(seededIds.organization).changeRate(this.usage.hourlyCost(), this.world.nowMs);
  }
}
