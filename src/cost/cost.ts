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
  /** `refused`: the service finds fault with the proposal itself. */
  | { readonly status: "unknown"; readonly reason: string; readonly refused?: boolean }
  | { readonly status: "notOffered" };
