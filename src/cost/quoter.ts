import { AdvisoryRequests, reasonOf, refusalIn, type AnsweredReply } from "../api/advisory-requests";
import type { CallOptions } from "../api/client";
import type { BillingSummary, CostQuote, CostQuoteUpdate } from "../api/cost-quotes";
import { ForbiddenError, QuoteNotOfferedError } from "../api/errors";
import type { Clock } from "../process/clock";
import { settingName } from "../engine/settings-list";
import {
  inOtherCurrency,
  type Bill,
  type Cost,
  type CostPair,
  type CostSide,
  type Quote,
  type MissingQuote,
} from "./cost";

const TIME_LIMIT_MS = 60_000;
const OUT_OF_TIME = `this run has waited ${TIME_LIMIT_MS / 1000} s for quotes, and asks for no further ones`;

/** Asks the API for quotes, with a short deadline, and once in a run for each price key. A quote never fails a preview. */
export class Quoter {
  /** Includes quotes under way, because a refresh reads many resources at the same time. */
  readonly #answers = new Map<string, Promise<Quote>>();
  /** The reason if the credential may not ask for a price, by project and price key. */
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
    const outOfTime = { reason: OUT_OF_TIME, trouble: `the API is slow: ${OUT_OF_TIME}. ${advice}` };
    this.#requests = new AdvisoryRequests(clock, TIME_LIMIT_MS, outOfTime, explained, onLongWait);
  }

  /** The organization's bill at the first quote, before any change. Undefined if the key may not see it. */
  get bill(): Bill | undefined {
    return this.#bill;
  }

  /**
   * The quote for a price key. All resources with the same key share the price, in any project. Refusals and temporary failures are
   * not shared, because another body or a later request may succeed. Throws only for a credential that the API refuses
   * (UnauthorizedError).
   */
  async quote(priceKey: string, project: string, ask: (call: CallOptions) => Promise<CostQuote>): Promise<Quote> {
    const earlier = this.#answers.get(priceKey);
    // Awaits only a known answer: the reads of a refresh come at the same time and must share one request.
    const known = earlier && (await earlier.catch(() => undefined));
    if (known !== undefined && known.status !== "unknown") return known;
    const forbiddenKey = `${project} ${priceKey}`;
    const reason = this.#forbidden.get(forbiddenKey);
    if (reason !== undefined) return { status: "unknown", reason };
    const answer = this.attempt((call) => ask(call).catch((error: unknown) => this.#forbid(forbiddenKey, error))).then(
      (attempt): Quote => {
        if (attempt.status !== "answered") return attempt;
        return inOtherCurrency(attempt.answer) ?? { status: "priced", cost: costIn(attempt.answer) };
      },
    );
    this.#answers.set(priceKey, answer);
    return answer;
  }

  /** Asks for one quote. A failure becomes a quote with an unknown cost and the reason. */
  async attempt<T extends CostQuote | CostQuoteUpdate>(
    ask: (call: CallOptions) => Promise<T>,
  ): Promise<AnsweredReply<T> | MissingQuote> {
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

/** The result if the API itself says that there is no price. */
function unpricedIn(error: unknown): MissingQuote | undefined {
  if (error instanceof QuoteNotOfferedError) return { status: "notOffered" };
  const refusal = refusalIn(error);
  return refusal && { status: "unknown", reason: refusedReason(refusal.words), refusal };
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
