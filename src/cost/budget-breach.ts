import type { Decimal } from "decimal.js";

/** Which limit of a budget is exceeded. */
export type BudgetLimit = "monthlyTotal" | "monthlyIncrease" | "perResource" | "onUnknown";

/** A resource that a limit is exceeded by. */
export interface BudgetContributor {
  readonly urn: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: what the program calls it. */
  readonly name: string;
  /** What it costs, or adds; undefined if that is not known. */
  readonly amount: Decimal | undefined;
}

/** A limit that is exceeded. */
export interface BudgetBreach {
  readonly limit: BudgetLimit;
  /** Whose limit it is: `CostSummary cost`, `--fail-over-total`; set by the one that holds the budget. */
  readonly source?: string | undefined;
  /** Whether it is only told of. */
  readonly isAdvisory?: boolean | undefined;
  /** What may be; undefined for `onUnknown`. */
  readonly allowed: Decimal | undefined;
  /** What would be: the total, the increase, or the most expensive resource. */
  readonly amount: Decimal | undefined;
  /** The largest contributor first. */
  readonly resources: readonly BudgetContributor[];
  /** All of it in a sentence. */
  readonly reason: string;
}
