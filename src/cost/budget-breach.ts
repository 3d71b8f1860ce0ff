import type { Decimal } from "decimal.js";

export type BudgetLimit = "monthlyTotal" | "monthlyIncrease" | "perResource" | "onUnknown" | "approved";

export interface BudgetContributor {
  readonly urn: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: the name in the program. */
  readonly name: string;
  /** Its cost, or its difference. Undefined if unknown. */
  readonly amount: Decimal | undefined;
}

export interface BudgetBreach {
  readonly limit: BudgetLimit;
  /** The source of the limit: `CostSummary cost`, or `--fail-over-total`. The owner of the budget sets it. */
  readonly source?: string | undefined;
  /** True if exceeding it only warns. */
  readonly isAdvisory?: boolean | undefined;
  /** The allowed amount, or the approved total. Undefined for `onUnknown`. */
  readonly allowed: Decimal | undefined;
  /** The actual amount: the total, the increase, or the most expensive resource. */
  readonly amount: Decimal | undefined;
  /** The largest contributor first. */
  readonly resources: readonly BudgetContributor[];
  /** The same in one sentence. */
  readonly reason: string;
}
