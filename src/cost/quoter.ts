import type { CallOptions } from "../api/client";
import type {
  BillingSummary,
  CostQuote,
  CostQuoteUpdate,
  UsageDimension as WireUsageDimension,
} from "../api/cost-quotes";
import {
  ApiError,
  BadRequestError,
  ConnectionError,
  QuoteNotOfferedError,
  TimeoutError,
  UnauthorizedError,
} from "../api/errors";
import type { Bill, Cost, Quote, Unpriced, UsageDimension } from "./cost";

/** How long one quote may take, all attempts together: a preview does not wait for prices. */
const QUOTE_DEADLINE_MS = 2_000;
/** After so many quotes in a row without any answer the service is asked for no more in this operation. */
const UNANSWERED_LIMIT = 3;

/** Asks the service for quotes: once per price key and engine operation, with a short deadline, and never fails a preview. */
export class Quoter {
  /** Also of those that are under way: a refresh reads many resources at the same time. */
  readonly #answers = new Map<string, Promise<Quote>>();
  #unansweredInARow = 0;
  #bill: Bill | undefined;

  /** `onBill` is told once, with the first quote that says what the organization pays. */
  constructor(private readonly onBill: (bill: Bill) => void = () => undefined) {}

  /** What the organization paid when the first quote was made, where the caller may see it: nothing had changed by then. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /**
   * The quote for a price key. `exact` says that no placeholder stands in the body: a refusal of a body with placeholders
   * says nothing about the next one. Throws only for a credential that the service does not accept (UnauthorizedError).
   */
  async quote(priceKey: string, exact: boolean, ask: (call: CallOptions) => Promise<CostQuote>): Promise<Quote> {
    const known = this.#answers.get(priceKey);
    if (known) return known;
    const asked = this.#ask(exact, ask);
    if (exact) this.#answers.set(priceKey, asked);
    try {
      const quote = await asked;
      if (quote.status !== "unknown") this.#answers.set(priceKey, asked);
      return quote;
    } catch (error) {
      this.#answers.delete(priceKey);
      throw error;
    }
  }

  async #ask(exact: boolean, ask: (call: CallOptions) => Promise<CostQuote>): Promise<Quote> {
    const attempt = await this.attempt(ask);
    if (attempt.status === "answered") return pricedQuote(attempt.answer);
    if (attempt.status === "unknown" && attempt.refused === true && !exact) {
      return { status: "unknown", reason: "some of its values are not known yet" };
    }
    return attempt;
  }

  /** One question to the service. What goes wrong becomes a quote that says why it is unknown. */
  async attempt<T extends CostQuote | CostQuoteUpdate>(
    ask: (call: CallOptions) => Promise<T>,
  ): Promise<{ readonly status: "answered"; readonly answer: T } | Unpriced> {
    if (this.#unansweredInARow >= UNANSWERED_LIMIT) {
      return { status: "unknown", reason: `the service left ${UNANSWERED_LIMIT} quotes in a row unanswered` };
    }
    try {
      const answer = await ask({ deadlineMs: QUOTE_DEADLINE_MS });
      this.#unansweredInARow = 0;
      this.#noteBill(answer.current_summary);
      return { status: "answered", answer };
    } catch (error) {
      if (error instanceof UnauthorizedError) throw error;
      const unanswered = error instanceof TimeoutError || error instanceof ConnectionError;
      this.#unansweredInARow = unanswered ? this.#unansweredInARow + 1 : 0;
      if (error instanceof QuoteNotOfferedError) return { status: "notOffered" };
      return { status: "unknown", reason: reasonOf(error), refused: error instanceof BadRequestError };
    }
  }

  #noteBill(summary: BillingSummary | null | undefined): void {
    if (!summary || this.#bill) return;
    const { monthly_cost, effective_balance, runway_months } = summary;
    this.#bill = { monthlyCost: monthly_cost, balance: effective_balance, runwayMonths: runway_months ?? undefined };
    this.onBill(this.#bill);
  }
}

function pricedQuote(quote: CostQuote): Quote {
  const cost: Cost = {
    currency: quote.currency,
    monthlyTotal: quote.monthly_total,
    pricedAt: quote.priced_at,
    usageDimensions: quote.usage_dimensions.map(usageDimension),
  };
  return { status: "priced", cost };
}

function usageDimension(row: WireUsageDimension): UsageDimension {
  return {
    dimension: row.dimension,
    displayName: row.dimension_display_name,
    quantity: row.quantity,
    unitPrice: row.unit_price,
    monthlyAmount: row.monthly_amount,
  };
}

/** Why there is no price, short enough for a row. */
function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return `the service did not answer within ${QUOTE_DEADLINE_MS / 1000} s`;
  if (error instanceof ConnectionError) return "the service could not be reached";
  if (error instanceof BadRequestError) {
    const reasons = Object.entries(error.parameters).map(([parameter, reason]) => `${parameter} ${reason}`);
    if (reasons.length > 0) return `the service would refuse it: ${reasons.join("; ")}`;
  }
  if (error instanceof ApiError) return `the service answered ${error.status} ${error.type ?? ""}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
}
