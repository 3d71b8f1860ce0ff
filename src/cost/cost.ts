import { decimal, decimalText, dollars } from "./money";
import type { CostQuoteUpdate } from "../api/cost-quotes";

/** Always the currency in version 1 of the API (section 2.6). */
const CURRENCY = "USD";

/** The monthly cost of a resource, as the API quoted it. Amounts are exact decimal strings. */
export interface Cost {
  /** ISO 4217 code. Always `USD` in version 1 of the API (section 2.6). */
  readonly currency: string;
  /** The sum of the dimensions for one month. */
  readonly monthlyTotal: string;
  /** When the API made the quote. Absent in a preview: set after the resource is created or updated. */
  readonly pricedAt?: string;
  /** One row for each dimension that bills the resource. */
  readonly usageDimensions: readonly UsageDimension[];
}

/** One dimension of a quote. */
export interface UsageDimension {
  /** The API's identifier, for example `compute_vcpu`. */
  readonly dimension: string;
  /** The API's name for the dimension. */
  readonly displayName: string;
  /** The number of units. */
  readonly quantity: number;
  /** The price of a unit, a decimal string. */
  readonly unitPrice: string;
  /** Quantity times price for a month, a decimal string. */
  readonly monthlyAmount: string;
}

/** The organization's bill, from the API's billing summary. Amounts are decimal strings. */
export interface Bill {
  readonly monthlyCost: string;
  readonly balance: string;
  /** The number of months that the balance lasts at this cost. Absent if nothing is running. */
  readonly runwayMonths?: string | undefined;
}

/** The result of a quote. A cost of zero, an unknown cost and a kind without quotes are three different results. */
export type Quote = { readonly status: "priced"; readonly cost: Cost } | MissingQuote;

export type MissingQuote =
  | {
      readonly status: "unknown";
      readonly reason: string;
      /** True if the API refuses the proposal. */
      readonly isRefused?: boolean | undefined;
      /** The complete message: the failure, and what to check. Given once in a run. */
      readonly trouble?: string | undefined;
    }
  | {
      readonly status: "notOffered";
      /** The part of the resource that is billed nevertheless: `its public IP`. */
      readonly billedFor?: string | undefined;
    };

export const NEVER_QUOTED: MissingQuote = { status: "unknown", reason: "it was never quoted" };

/** Treats a cost in another currency as unknown, because rows and sums are in dollars. */
export function inOtherCurrency({ currency }: Pick<Cost, "currency">): MissingQuote | undefined {
  return currency === CURRENCY ? undefined : { status: "unknown", reason: `it is quoted in ${currency}` };
}

export interface CostSide {
  readonly cost: Cost | undefined;
  /** Why there is no cost, if that is known. */
  readonly unpriced?: MissingQuote | undefined;
}

/**
 * The cost of an object that no longer exists. The state and the preview keep it as a cost of zero without dimensions.
 */
export const COST_OF_NOTHING: CostSide = { cost: { currency: CURRENCY, monthlyTotal: "0.00", usageDimensions: [] } };

export function isOfNothing({ cost }: CostSide): boolean {
  return cost !== undefined && cost.usageDimensions.length === 0 && decimal(cost.monthlyTotal).isZero();
}

/**
 * A resource's cost before and after a run. The resource's check finds it out once, for the row, summaries, budgets,
 * the command line and the state.
 */
export interface CostPair {
  /** The cost of the present object, at today's prices if these are known. Undefined if there is no object yet. */
  readonly before: CostSide | undefined;
  readonly after: CostSide;
  /** The quote in the state, if prices have moved since. */
  readonly lastQuoted?: Cost | undefined;
}

/** The contradictions between the API's quote for the update and the resource's cost, or within the quote. */
export function disagreements({ after }: CostPair, quote: CostQuoteUpdate): readonly string[] {
  const [was, will] = [decimal(quote.before.monthly_total), decimal(quote.after.monthly_total)];
  const difference = decimal(quote.diff.monthly_total_delta);
  const isExpected = after.cost === undefined || decimal(after.cost.monthlyTotal).equals(will);
  return [
    ...(will.minus(was).equals(difference)
      ? []
      : [`the API's quote does not add up: it says the difference is ${decimalText(difference)}/mo`]),
    ...(isExpected
      ? []
      : [
          `the quote for this update says ${dollars(will)}/mo, the resource's cost ${dollars(decimal(after.cost.monthlyTotal))}/mo`,
        ]),
  ];
}
