/** What a resource costs a month, as the API quoted it. Every amount is a decimal string, exact. */
export interface Cost {
  /** ISO 4217 code; always `USD` in version 1 of the API (section 2.6). */
  readonly currency: string;
  /** The sum of the dimensions for one month. */
  readonly monthlyTotal: string;
  /** When the service made the quote. Set once the resource is created or updated; absent in a preview. */
  readonly pricedAt?: string;
  /** One row per dimension the resource is billed by. */
  readonly usageDimensions: readonly UsageDimension[];
}

/** One dimension of a quote. */
export interface UsageDimension {
  /** The service's identifier, for example `compute_vcpu`. */
  readonly dimension: string;
  /** The service's words for it. */
  readonly displayName: string;
  /** How many units. */
  readonly quantity: number;
  /** Price of a unit, a decimal string. */
  readonly unitPrice: string;
  /** Quantity times price for a month, a decimal string. */
  readonly monthlyAmount: string;
}

/** What the organization pays, as the service's billing summary has it. Amounts are decimal strings. */
export interface Bill {
  readonly monthlyCost: string;
  readonly balance: string;
  /** How many months the balance lasts at this cost; absent where nothing is running. */
  readonly runwayMonths?: string | undefined;
}

/**
 * The answer to "what would it cost?". "Costs nothing", "not known" and "the service quotes no such thing" are three
 * different answers.
 */
export type Quote = { readonly status: "priced"; readonly cost: Cost } | Unpriced;

/** A question about cost that was not answered with a price. */
export type Unpriced =
  | {
      readonly status: "unknown";
      readonly reason: string;
      readonly refusal?: Refusal | undefined;
      /** What went wrong, and what to check: said once in a run. */
      readonly trouble?: string | undefined;
    }
  | { readonly status: "notOffered" };

/** What the service finds fault with in a proposal itself. */
export interface Refusal {
  /** The service's own. */
  readonly words: string;
  /** What is not there: an object that the path leads through. Else it is about the body. */
  readonly isAboutPath: boolean;
  /** What is wrong in the body, by the service's names of its members; none if it does not say. */
  readonly faults: readonly { readonly member: string; readonly reason: string }[];
}

/** What is known of one side of a change. */
export interface CostSide {
  readonly cost: Cost | undefined;
  /** Why there is no cost, where that is known. */
  readonly unpriced?: Unpriced | undefined;
}

/**
 * What a resource costs before and after a run. It is made once, by the resource's check, and everything that tells of the cost
 * uses it: the row, summaries, budgets, the command line, the state.
 */
export interface CostPair {
  /** What is there now, at the prices of now as far as they are known; undefined if nothing is there yet. */
  readonly before: CostSide | undefined;
  readonly after: CostSide;
  /** The quote that the state had, if prices have moved since. */
  readonly lastQuoted?: Cost | undefined;
}
