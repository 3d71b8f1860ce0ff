import type { CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { QuoteNotOfferedError } from "./errors/cloudinfra-error";
import { ApiError, NotFoundError } from "./errors/api-error";
import { costQuote, costQuoteUpdate, type CostQuote, type CostQuoteUpdate } from "./cost-quotes";
import { dialects } from "./dialect";
import { NotTheApiError } from "./errors/not-the-api-error";
import { readAs, type Answer } from "./http/answer";

type Path = readonly string[];

/** The cost endpoints of one kind of collection (specification section 4). A quote changes nothing at the service. */
export class Quotes {
  readonly #notOffered = new Set<"POST" | "PATCH">();

  /**
   * `noun` is for messages and for the dialect's list of collections without this endpoint. Those are never asked for; neither
   * is a kind without quotes.
   */
  constructor(
    private readonly caller: Caller,
    private readonly noun: string,
    isQuoted = true,
  ) {
    if (!isQuoted || dialects[caller.dialect].withoutQuotes.includes(noun)) this.#notOffered.add("POST").add("PATCH");
  }

  /** `owner`: the path of the object that contains the collection, if there is one. */
  async create(collection: Path, owner: Path | undefined, body: object, call?: CallOptions): Promise<CostQuote> {
    const answer = await this.#ask("POST", [...collection, "cost"], owner, body, call);
    return readAs(costQuote, answer, this.caller.dialect);
  }

  /** Rejects with NotFoundError if the object itself is gone. */
  async update(object: Path, body: object, call?: CallOptions): Promise<CostQuoteUpdate> {
    const answer = await this.#ask("PATCH", [...object, "cost"], object, body, call);
    return readAs(costQuoteUpdate, answer, this.caller.dialect);
  }

  async #ask(
    method: "POST" | "PATCH",
    path: Path,
    holder: Path | undefined,
    body: object,
    call?: CallOptions,
  ): Promise<Answer> {
    if (this.#notOffered.has(method)) throw new QuoteNotOfferedError(this.noun);
    try {
      return await this.caller.request({ method, path, body, idempotent: true }, call);
    } catch (error) {
      if (!(await this.#meansNoEndpoint(error, holder, call))) throw error;
      this.#notOffered.add(method);
      throw new QuoteNotOfferedError(this.noun, { cause: error });
    }
  }

  /**
   * 405 and 501 mean that no quote is offered. A 404 means it only if the object in the path exists or, without one, if the
   * base URL is known to be right. Rejects with the NotFoundError of the object if that is gone. If this cannot be found out,
   * the first error counts.
   */
  async #meansNoEndpoint(error: unknown, holder: Path | undefined, call: CallOptions = {}): Promise<boolean> {
    if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return true;
    if (!(error instanceof NotFoundError)) return false;
    if (holder === undefined) {
      await this.caller.confirmBaseUrl(error, call);
      return true;
    }
    try {
      await this.caller.request({ method: "GET", path: holder }, call);
      return true;
    } catch (gone) {
      if (gone instanceof NotFoundError || gone instanceof NotTheApiError) throw gone;
      return false;
    }
  }
}
