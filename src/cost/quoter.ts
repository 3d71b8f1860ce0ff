import { reasonOf, type AdvisoryRequests, type Reply } from "../api/advisory-requests";
import type { CallOptions } from "../api/client";
import type { BillingSummary, CostQuote, CostQuoteUpdate } from "../api/cost-quotes";
import { ForbiddenError } from "../api/errors";
import { inOtherCurrency, type Bill, type Cost, type CostPair, type CostSide, type Quote } from "./cost";

/** The values on which requests for a price depend. */
export interface QuoteKeys {
  /** The values that affect the price. All resources with the same ones share it, in any project. */
  readonly price: string;
  /** The project does not change the price, but the API key may not have access to it. */
  readonly project: string;
  /** The resource and its body. */
  readonly body: string;
}

export interface QuoteReply {
  readonly quote: Quote;
  /**
   * The reply to the request for these very inputs. Undefined if there was none, for example because the price is
   * shared.
   */
  readonly reply?: Reply<CostQuote> | undefined;
}

/** Asks the API for quotes, and once in a run for each price. A quote never fails a preview. */
export class Quoter {
  /** By price key. Includes quotes under way, because a refresh reads many resources at the same time. */
  readonly #answers = new Map<string, Promise<QuoteReply & { readonly body: string }>>();
  /** The reason if the credential may not ask for a price, by project and price key. */
  readonly #forbidden = new Map<string, string>();
  #bill: Bill | undefined;

  /** `onBill` is called once, with the first quote that shows the organization's bill. */
  constructor(
    private readonly requests: AdvisoryRequests,
    private readonly onBill: (bill: Bill) => void = () => undefined,
  ) {}

  /** The organization's bill at the first quote, before any change. Undefined if the key may not see it. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /**
   * The quote for a price key. Refusals and temporary failures are not shared, because another body or a later request
   * may succeed. Throws only for a credential that the API refuses (UnauthorizedError).
   */
  async quote(
    { price, project, body }: QuoteKeys,
    send: (options: CallOptions) => Promise<CostQuote>,
  ): Promise<QuoteReply> {
    const earlier = this.#answers.get(price);
    // Awaits only a known answer: the reads of a refresh come at the same time and must share one request.
    const known = earlier && (await earlier.catch(() => undefined));
    if (known !== undefined && known.quote.status !== "unknown")
      return known.body === body ? known : { quote: known.quote };
    const forbiddenKey = `${project} ${price}`;
    const reason = this.#forbidden.get(forbiddenKey);
    if (reason !== undefined) return { quote: { status: "unknown", reason } };
    const sent = this.ask((options) => send(options).catch((error: unknown) => this.#forbid(forbiddenKey, error)));
    const answer = sent.then((reply) => ({ quote: quoteIn(reply), reply, body }));
    this.#answers.set(price, answer);
    return answer;
  }

  /** Asks for one quote. Throws as `quote`. */
  async ask<T extends CostQuote | CostQuoteUpdate>(send: (options: CallOptions) => Promise<T>): Promise<Reply<T>> {
    // Without `endsAt`: waiting behind other requests does not count, as long as the API answers any.
    const reply = await this.requests.ask("quotes", ({ deadlineMs }) => send({ deadlineMs }));
    if (reply.status === "answered") this.#noteBill(reply.answer.current_summary);
    return reply;
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

function quoteIn(reply: Reply<CostQuote>): Quote {
  switch (reply.status) {
    case "answered":
      return inOtherCurrency(reply.answer) ?? { status: "priced", cost: costIn(reply.answer) };
    case "refused":
      return { status: "unknown", reason: refusedReason(reply.refusal.words), isRefused: true };
    case "skipped":
      return { ...reply, status: "unknown" };
    case "notOffered":
      return reply;
  }
}

/** The costs before and after from the quote for a change in place. */
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

export const REFUSED = "the API would refuse it";

/** The reason for an unknown cost if the API refuses the proposal. */
export function refusedReason(words: string): string {
  return `${REFUSED}: ${words}`;
}
