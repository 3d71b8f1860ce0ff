import { AdvisoryRequests, reasonOf, refusalIn, type Answered } from "../api/advisory-requests";
import type { CallOptions } from "../api/client";
import type { BillingSummary, CostQuote, CostQuoteUpdate } from "../api/cost-quotes";
import { ForbiddenError, QuoteNotOfferedError } from "../api/errors";
import type { Clock } from "../process/clock";
import { settingName } from "../engine/config-keys";
import { inOtherCurrency, type Bill, type Cost, type CostPair, type CostSide, type Quote, type Unpriced } from "./cost";

const TIME_LIMIT_MS = 60_000;
const OUT_OF_TIME = `this run has waited ${TIME_LIMIT_MS / 1000} s for quotes, and asks for no more`;

/**
 * Asks the service for quotes: once for each price key and operation of the engine, with a short deadline. A quote never fails
 * a preview.
 */
export class Quoter {
  /** Includes quotes under way, because a refresh reads many resources at the same time. */
  readonly #answers = new Map<string, Promise<Quote>>();
  /** Why there is no price if the credential may not ask for it, by the project and the price key. */
  readonly #forbidden = new Map<string, string>();
  readonly #requests: AdvisoryRequests;
  #bill: Bill | undefined;

  /**
   * `onBill` is called once, with the first quote that shows the organization's bill. `provider`: an explicit one, for messages.
   * `explained`, `onLongWait`: see AdvisoryRequests.
   */
  constructor(
    clock: Clock,
    private readonly onBill: (bill: Bill) => void = () => undefined,
    provider?: string,
    explained = new Set<string>(),
    onLongWait: (subject: string) => void = () => undefined,
  ) {
    const advice = `Run again later, or set ${settingName("costQuotes", provider)} to false`;
    const outOfTime = { reason: OUT_OF_TIME, trouble: `the service is slow: ${OUT_OF_TIME}. ${advice}` };
    this.#requests = new AdvisoryRequests(clock, TIME_LIMIT_MS, outOfTime, explained, onLongWait);
  }

  /** The organization's bill when the first quote was made, before any change, if the caller may see it. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /**
   * The quote for a price key. All resources with the key share the price, in whichever project they are. A refusal is about one
   * body, and after a temporary failure the next quote may work. Throws only for a credential that the service refuses
   * (UnauthorizedError).
   */
  async quote(priceKey: string, project: string, ask: (call: CallOptions) => Promise<CostQuote>): Promise<Quote> {
    const answer = this.#answers.get(priceKey);
    // No await if nobody has asked yet: the reads of a refresh come at the same time.
    const known = answer && (await answer.catch(() => undefined));
    if (known !== undefined && known.status !== "unknown") return known;
    const forbiddenKey = `${project} ${priceKey}`;
    const reason = this.#forbidden.get(forbiddenKey);
    if (reason !== undefined) return { status: "unknown", reason };
    const asked = this.attempt((call) => ask(call).catch((error: unknown) => this.#forbid(forbiddenKey, error))).then(
      (attempt): Quote => {
        if (attempt.status !== "answered") return attempt;
        return inOtherCurrency(attempt.answer) ?? { status: "priced", cost: costIn(attempt.answer) };
      },
    );
    this.#answers.set(priceKey, asked);
    return asked;
  }

  /** Sends one quote. A failure becomes a quote that says why the cost is unknown. */
  async attempt<T extends CostQuote | CostQuoteUpdate>(
    ask: (call: CallOptions) => Promise<T>,
  ): Promise<Answered<T> | Unpriced> {
    const reply = await this.#requests.ask("quotes", (deadlineMs) => ask({ deadlineMs }), unpricedIn);
    if (reply.status === "answered") this.#noteBill(reply.answer.current_summary);
    return reply.status === "skipped" ? { ...reply, status: "unknown" } : reply;
  }

  #forbid(key: string, error: unknown): never {
    if (error instanceof ForbiddenError) this.#forbidden.set(key, reasonOf(error));
    throw error;
  }

  #noteBill(summary: BillingSummary | null | undefined): void {
    if (!summary || this.#bill) return;
    const { monthly_cost, effective_balance, runway_months } = summary;
    this.#bill = { monthlyCost: monthly_cost, balance: effective_balance, runwayMonths: runway_months ?? undefined };
    this.onBill(this.#bill);
  }
}

/** The service's own answer that there is no price. */
function unpricedIn(error: unknown): Unpriced | undefined {
  if (error instanceof QuoteNotOfferedError) return { status: "notOffered" };
  const refusal = refusalIn(error);
  return refusal && { status: "unknown", reason: refusedReason(refusal.words), refusal };
}

/** The pair that the quote for a change in place gives. */
export function pairIn({ currency, priced_at, before, after }: CostQuoteUpdate): CostPair {
  const unpriced = inOtherCurrency({ currency });
  const side = (body: CostQuoteUpdate["after"]): CostSide =>
    unpriced ? { cost: undefined, unpriced } : { cost: costIn({ currency, priced_at, ...body }) };
  return { before: side(before), after: side(after) };
}

function costIn(quote: CostQuote): Cost {
  return {
    currency: quote.currency,
    monthlyTotal: quote.monthly_total,
    pricedAt: quote.priced_at,
    usageDimensions: quote.usage_dimensions.map((row) => ({
      dimension: row.dimension,
      displayName: row.dimension_display_name,
      quantity: row.quantity,
      unitPrice: row.unit_price,
      monthlyAmount: row.monthly_amount,
    })),
  };
}

export const REFUSED = "the service would refuse it";

/** Why there is no price for a proposal that the service refuses. */
export function refusedReason(words: string): string {
  return `${REFUSED}: ${words}`;
}
