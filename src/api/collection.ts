import { z } from "zod";
import type { ApiRequest, CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { CollectionReader, NewObjectReader, type Listable, type ReadTally } from "./lists/collection-reader";
import { dialects } from "./dialect";
import { costQuote, costQuoteUpdate, type CostQuote, type CostQuoteUpdate } from "./cost-quotes";
import { listAll, listPages, readPage, type Page } from "./lists/list-pages";
import { askAdvisory, type AdvisoryRequest } from "./advisory-endpoint";
import type { ApiResponse } from "./http/response";
import { InvalidResponseError, type RequestLine } from "./errors";
import { inEitherCase, retryNotFound } from "./not-found";
import { CLOCK_TOLERANCE_MS, LATE_ANSWER_PAUSES, pollUntil } from "../time/clock";
import { dateText } from "../time/utc";
import { isSameId } from "../definition/same-id";
import { operation, type Operation } from "./operations/operation";

/** How long to read again if the API answers with an older version than before. */
const OUTDATED_FOR_MS = 10_000;

export interface CollectionParts<T> {
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** The path of the object that contains the collection, if there is one. */
  readonly owner?: readonly string[];
  readonly item: z.ZodType<T>;
  /** The word for its objects, for messages. */
  readonly noun: string;
}

/** The endpoints of a collection of managed objects (specification section 4). `Caller` encodes the paths. */
export class Collection<T extends Listable> {
  #reader: CollectionReader<T> | undefined;
  #newObjects: NewObjectReader<T> | undefined;

  constructor(
    private readonly caller: Caller,
    private readonly parts: CollectionParts<T>,
    private readonly tally: ReadTally,
  ) {}

  async create(body: object, options?: CallOptions): Promise<Creation<T>> {
    const response = await this.caller.request({ method: "POST", path: this.parts.path, body }, options);
    return readCreated(this.caller, this.parts.item, response);
  }

  /**
   * Rejects with NotFoundError if there is none, and with InvalidResponseError if the responses stay older than a
   * version that was seen before: a cache or a replica may answer for the API. For the same reason, an unexpected 404
   * counts only if the API repeats it.
   */
  async get(id: string, options?: CallOptions): Promise<T> {
    const ask = async (): Promise<{ object: T; line: RequestLine }> => {
      const response = await this.#request("GET", id, undefined, options);
      const object = this.caller.parse(this.parts.item, response);
      if (isSameId(object.id, id)) return { object, line: response.line };
      throw new InvalidResponseError(response.line, "schema", `the answer is about another object, ${object.id}.`);
    };
    const seenAt = options?.seen && isSameId(options.seen.id, id) ? options.seen.updatedAt : -Infinity;
    const wasSetBack = (): boolean =>
      seenAt > Math.max(this.caller.apiNow(), this.caller.clock.timeOfDay()) + CLOCK_TOLERANCE_MS;
    const isCurrent = ({ object }: { object: T }): boolean =>
      !(Date.parse(String(object.updated_at)) < seenAt) || wasSetBack();
    const schedule = { ...LATE_ANSWER_PAUSES, leftMs: (pausedMs: number) => OUTDATED_FOR_MS - pausedMs };
    const look = options?.mayBeMissing ? ask : () => retryNotFound(this.caller.clock, ask);
    const last = await pollUntil(this.caller.clock, schedule, look, isCurrent);
    if (isCurrent(last)) return last.object;
    const since = `as it was on ${String(last.object.updated_at)}, before ${dateText(seenAt)}`;
    throw new InvalidResponseError(
      last.line,
      "outdated",
      `the answer shows the object ${since}, when an earlier answer showed it. A cache may answer for the API: run again later. ` +
        `If that does not help, the API was set back: \`pulumi refresh\` accepts that.`,
    );
  }

  async update(id: string, body: object, options?: CallOptions): Promise<Mutation<T>> {
    const response = await this.#request("PATCH", id, body, options);
    return readUpdated(this.caller, this.parts.item, response);
  }

  /** A separate request that changes the object: POST `<object>/<verb>`. */
  async act(id: string, verb: string, body?: object, options?: CallOptions): Promise<Mutation<T>> {
    const response = await this.#request("POST", id, body, options, verb);
    return readUpdated(this.caller, this.parts.item, response);
  }

  async subResource(id: string, at: string, options?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    const response = await this.#request("GET", id, undefined, options, at);
    return this.caller.parse(z.looseObject({}), response);
  }

  /** Rejects with NotFoundError if there is none. The caller decides if that is an error. */
  async delete(id: string, options?: CallOptions): Promise<Mutation<never>> {
    const response = await this.#request("DELETE", id, undefined, options);
    return readDeleted(this.caller, response);
  }

  list(options?: CallOptions): AsyncIterable<T> {
    const { path, query, item } = this.parts;
    return listAll(this.caller, item, { path, query }, options);
  }

  /** Reads one short page, to find out if the key may read the list. Rejects with the API's refusal. */
  async peek(options: CallOptions): Promise<void> {
    const query = { ...this.parts.query, limit: "1" };
    await this.caller.request({ method: "GET", path: this.parts.path, query }, options);
  }

  /** Reads objects whose creation has just ended. */
  get newObjects(): NewObjectReader<T> {
    return (this.#newObjects ??= new NewObjectReader({
      clock: this.caller.clock,
      get: (id, options) => this.get(id, options),
      newest: (options) => this.#newest(options),
    }));
  }

  /** As `get`, but the response may be 30 s old. It is never older than a change by this client. */
  getCached(id: string, options?: CallOptions, parentId?: string): Promise<T> {
    this.#reader ??= new CollectionReader({
      clock: this.caller.clock,
      get: (each, options) => this.get(each, options),
      pages: (options) => this.#readablePages(options),
      changes: () => this.caller.changes,
      tally: this.tally,
    });
    return this.#reader.read(id, options, parentId);
  }

  /** The price of a proposed resource. Rejects with NotOfferedError if the API has no such endpoint. */
  quoteCreate(body: object, options?: CallOptions): Promise<CostQuote> {
    return this.#quote(costQuote, this.#creation("cost", body), options);
  }

  /**
   * The price before and after a proposed change. Rejects as `quoteCreate`, and with NotFoundError if the object is
   * deleted.
   */
  quoteUpdate(id: string, body: object, options?: CallOptions): Promise<CostQuoteUpdate> {
    return inEitherCase(id, (spelled) => this.#quote(costQuoteUpdate, this.#change("cost", spelled, body), options));
  }

  /** Rejects with the refusal if the API would not accept the creation. Its other errors are as of `quoteCreate`. */
  async checkCreate(body: object, options?: CallOptions): Promise<void> {
    await askAdvisory(this.caller, this.#creation("availability", body), options);
  }

  /** As `checkCreate`, for a change. Rejects with NotFoundError if the object is deleted. */
  async checkUpdate(id: string, body: object, options?: CallOptions): Promise<void> {
    await inEitherCase(id, (spelled) => askAdvisory(this.caller, this.#change("availability", spelled, body), options));
  }

  async #quote<Quote>(schema: z.ZodType<Quote>, request: AdvisoryRequest, options?: CallOptions): Promise<Quote> {
    return this.caller.parse(schema, await askAdvisory(this.caller, request, options));
  }

  #creation(at: AdvisoryRequest["at"], body: object): AdvisoryRequest {
    const { path, owner, noun: nouns } = this.parts;
    return { method: "POST", path, owner, body, at, nouns };
  }

  #change(at: AdvisoryRequest["at"], id: string, body: object): AdvisoryRequest {
    return { method: "PATCH", path: this.#pathOf(id), owner: this.#pathOf(id), body, at, nouns: this.parts.noun };
  }

  async *#readablePages(options: CallOptions): AsyncGenerator<Page<T>, void, undefined> {
    const { path, query, item } = this.parts;
    const readable = item.optional().catch(undefined);
    for await (const { items, next } of listPages(this.caller, readable, { path, query }, options))
      yield { items: items.filter((each) => each !== undefined), next };
  }

  async #newest(options: CallOptions): Promise<readonly T[]> {
    const { path, query, item } = this.parts;
    const request = { path, query: { ...query, ...dialects[this.caller.dialect].newestFirst } };
    const { items } = await readPage(this.caller, item.optional().catch(undefined), request, undefined, options);
    return items.filter((each) => each !== undefined);
  }

  #request(
    method: ApiRequest["method"],
    id: string,
    body?: object,
    options?: CallOptions,
    ...below: readonly string[]
  ): Promise<ApiResponse> {
    return inEitherCase(id, (spelled) =>
      this.caller.request({ method, path: [...this.#pathOf(spelled), ...below], ...(body && { body }) }, options),
    );
  }

  #pathOf(id: string): readonly string[] {
    return [...this.parts.path, id];
  }
}

/**
 * The response to a mutating request: the resource itself, an Operation, or nothing. The specification does not say
 * which, so every caller handles all three.
 */
export type Mutation<T> =
  | { readonly kind: "resource"; readonly resource: T }
  | { readonly kind: "operation"; readonly operation: Operation; readonly sentAt: number }
  | { readonly kind: "done" };

/** The response to a creation is never empty, because only it says what was created. */
export type Creation<T> = Exclude<Mutation<T>, { readonly kind: "done" }>;

function readCreated<T>(caller: Caller, schema: z.ZodType<T>, response: ApiResponse): Creation<T> {
  if (isOperation(response.body)) return { kind: "operation", ...startedBy(caller, response) };
  return { kind: "resource", resource: caller.parse(schema, response) };
}

/** Reads the response to an update. It may be empty, because the specification does not show its body. */
function readUpdated<T>(caller: Caller, schema: z.ZodType<T>, response: ApiResponse): Mutation<T> {
  return response.body === undefined ? { kind: "done" } : readCreated(caller, schema, response);
}

/** Reads the response to a delete. Any body except an Operation is of a deleted object. */
function readDeleted(caller: Caller, response: ApiResponse): Mutation<never> {
  if (isOperation(response.body)) return { kind: "operation", ...startedBy(caller, response) };
  return { kind: "done" };
}

function startedBy(caller: Caller, response: ApiResponse): { readonly operation: Operation; readonly sentAt: number } {
  return { operation: caller.parse(operation, response), sentAt: response.sentAt };
}

/** Recognized by its members: no managed resource has either of them. */
function isOperation(body: unknown): boolean {
  return typeof body === "object" && body !== null && "kind" in body && "resource_id" in body;
}
