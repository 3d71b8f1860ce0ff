import type { CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { QuoteNotOfferedError } from "./errors/cloudinfra-error";
import { costQuote, costQuoteUpdate, type CostQuote, type CostQuoteUpdate } from "./cost-quotes";
import { readAs, type Answer } from "./http/answer";
import { AdvisoryEndpoint, type NotOffered } from "./advisory-endpoint";

type Path = readonly string[];

/** The cost endpoints of one kind of collection (specification section 4). */
export class Quotes {
  readonly #endpoint: AdvisoryEndpoint;

  /** `noun` is for messages. A kind without quotes is never asked for. */
  constructor(
    private readonly caller: Caller,
    private readonly noun: string,
    isQuoted = true,
  ) {
    this.#endpoint = new AdvisoryEndpoint(caller, "cost", isQuoted);
  }

  /** `owner`: the path of the object that contains the collection, if there is one. */
  async create(collection: Path, owner: Path | undefined, body: object, call?: CallOptions): Promise<CostQuote> {
    const answer = this.#offered(await this.#endpoint.ofCreation(collection, owner, body, call));
    return readAs(costQuote, answer, this.caller.dialect);
  }

  /** Rejects with NotFoundError if the object itself is gone. */
  async update(object: Path, body: object, call?: CallOptions): Promise<CostQuoteUpdate> {
    const answer = this.#offered(await this.#endpoint.ofUpdate(object, body, call));
    return readAs(costQuoteUpdate, answer, this.caller.dialect);
  }

  #offered(answer: Answer | NotOffered): Answer {
    if ("isOffered" in answer) throw new QuoteNotOfferedError(this.noun, { cause: answer.cause });
    return answer;
  }
}
