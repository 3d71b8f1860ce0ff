import type { z } from "zod";
import type { CallOptions } from "./call-options";
import type { Caller } from "./caller";
import type { CostQuote, CostQuoteUpdate } from "./cost-quotes";
import { readCreated, readDeleted, readUpdated, type Mutation } from "./mutation";
import { listAll } from "./pages";
import type { Quotes } from "./quotes";
import { readAs } from "./read-response";

/** The endpoints that every managed kind of resource has. `Parent` is what precedes the id: nothing, or a VPC's id. */
export interface Collection<T, CreateRequest, UpdateRequest, Parent extends readonly string[] = []> {
  create(...args: [...Parent, body: CreateRequest, call?: CallOptions]): Promise<Mutation<T>>;
  /** Rejects with NotFoundError where there is none. */
  get(...args: [...Parent, id: string, call?: CallOptions]): Promise<T>;
  update(...args: [...Parent, id: string, body: UpdateRequest, call?: CallOptions]): Promise<Mutation<T>>;
  /** Rejects with NotFoundError where there is none: whether that is good news is the caller's to say. */
  delete(...args: [...Parent, id: string, call?: CallOptions]): Promise<Mutation<never>>;
  /** Price of a proposed resource. Rejects with QuoteNotOfferedError where the service has no such endpoint. */
  quoteCreate(...args: [...Parent, body: CreateRequest, call?: CallOptions]): Promise<CostQuote>;
  /** Price before and after a proposed change. Rejects as `quoteCreate`; with NotFoundError where the object is gone. */
  quoteUpdate(...args: [...Parent, id: string, body: UpdateRequest, call?: CallOptions]): Promise<CostQuoteUpdate>;
}

/** Lists fetch page after page as they are read. */
export type Listed<T, Parent extends readonly string[] = []> = {
  list(...args: [...Parent, call?: CallOptions]): AsyncIterable<T>;
};

/** Where a collection is, what is in it, and who prices it. */
export interface CollectionPlace<T> {
  readonly path: readonly string[];
  /** What the collection is inside of, where it is inside of anything. */
  readonly owner?: readonly string[];
  readonly item: z.ZodType<T>;
  readonly quotes: Quotes;
}

/** The endpoints that every managed kind of resource has (specification section 4). Paths go through `Caller`, which encodes. */
export class CollectionAt<T, CreateRequest extends object, UpdateRequest extends object> {
  constructor(
    private readonly caller: Caller,
    private readonly place: CollectionPlace<T>,
  ) {}

  async create(body: CreateRequest, call?: CallOptions): Promise<Mutation<T>> {
    const answer = await this.caller.request({ method: "POST", path: this.place.path, body }, call);
    return readCreated(this.place.item, answer, this.caller.dialect);
  }

  async get(id: string, call?: CallOptions): Promise<T> {
    const answer = await this.caller.request({ method: "GET", path: this.#pathOf(id) }, call);
    return readAs(this.place.item, answer, this.caller.dialect);
  }

  async update(id: string, body: UpdateRequest, call?: CallOptions): Promise<Mutation<T>> {
    const answer = await this.caller.request({ method: "PATCH", path: this.#pathOf(id), body }, call);
    return readUpdated(this.place.item, answer, this.caller.dialect);
  }

  async delete(id: string, call?: CallOptions): Promise<Mutation<never>> {
    const answer = await this.caller.request({ method: "DELETE", path: this.#pathOf(id) }, call);
    return readDeleted(answer, this.caller.dialect);
  }

  list(query: Readonly<Record<string, string>>, call?: CallOptions): AsyncIterable<T> {
    return listAll(this.caller, this.place.item, { path: this.place.path, query }, call);
  }

  quoteCreate(body: CreateRequest, call?: CallOptions): Promise<CostQuote> {
    return this.place.quotes.create(this.place.path, this.place.owner, body, call);
  }

  quoteUpdate(id: string, body: UpdateRequest, call?: CallOptions): Promise<CostQuoteUpdate> {
    return this.place.quotes.update(this.#pathOf(id), body, call);
  }

  #pathOf(id: string): readonly string[] {
    return [...this.place.path, id];
  }
}
