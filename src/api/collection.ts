import { z } from "zod";
import type { ApiRequest, CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { CollectionReader, type Listable } from "./lists/collection-reader";
import type { CostQuote, CostQuoteUpdate } from "./cost-quotes";
import { readCreated, readDeleted, readUpdated, type Mutation } from "./operations/mutation";
import { listAll, listPages, type Page } from "./lists/pages";
import type { Quotes } from "./quotes";
import { readAs, type Answer } from "./http/answer";
import { inEitherCase } from "./same-id";

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

/** Reads of many objects of a collection, one by one, are answered from its lists where that takes fewer calls. */
export type ReadFromLists<T, Parent extends readonly string[] = []> = {
  /** As `get`, but as much as 30 s old; never from before a change that this client has made. */
  read(...args: [...Parent, id: string, call?: CallOptions]): Promise<T>;
};

/** Where a collection is, what is in it, and who prices it. */
export interface CollectionPlace<T> {
  readonly path: readonly string[];
  /** What its list is asked for with. */
  readonly query?: Readonly<Record<string, string>>;
  /** What the collection is inside of, where it is inside of anything. */
  readonly owner?: readonly string[];
  readonly item: z.ZodType<T>;
  /** What is in it, in words: for messages, and for the dialect's list of what has no quotes. */
  readonly noun: string;
  /** Whether the service quotes its price, as far as is known: false if it has no such endpoint. Default: true. */
  readonly isQuoted?: boolean;
}

/** The endpoints of one collection, whatever it holds. */
export type ManagedCollection<T extends Listable> = Pick<
  CollectionAt<T>,
  "create" | "get" | "read" | "update" | "act" | "apart" | "delete" | "list" | "quoteCreate" | "quoteUpdate"
>;

/** The endpoints that every managed kind of resource has (specification section 4). Paths go through `Caller`, which encodes. */
export class CollectionAt<
  T extends Listable,
  CreateRequest extends object = object,
  UpdateRequest extends object = object,
> {
  readonly #reader: CollectionReader<T>;

  constructor(
    private readonly caller: Caller,
    private readonly place: CollectionPlace<T>,
    private readonly quotes: Quotes,
  ) {
    this.#reader = new CollectionReader({
      clock: caller.clock,
      get: (id, call) => this.get(id, call),
      pages: (call) => this.#readablePages(call),
      changes: () => caller.changes,
    });
  }

  async create(body: CreateRequest, call?: CallOptions): Promise<Mutation<T>> {
    const answer = await this.caller.request({ method: "POST", path: this.place.path, body }, call);
    return readCreated(this.place.item, answer, this.caller.dialect);
  }

  async get(id: string, call?: CallOptions): Promise<T> {
    const answer = await this.#request("GET", id, undefined, call);
    return readAs(this.place.item, answer, this.caller.dialect);
  }

  async update(id: string, body: UpdateRequest, call?: CallOptions): Promise<Mutation<T>> {
    const answer = await this.#request("PATCH", id, body, call);
    return readUpdated(this.place.item, answer, this.caller.dialect);
  }

  /** A request of its own that changes the object: POST `<object>/<verb>`. */
  async act(id: string, verb: string, body?: object, call?: CallOptions): Promise<Mutation<T>> {
    const request = { method: "POST", path: [...this.#pathOf(id), verb], ...(body && { body }) } as const;
    return readUpdated(this.place.item, await this.caller.request(request, call), this.caller.dialect);
  }

  /** What `GET <object>/<at>` shows. */
  async apart(id: string, at: string, call?: CallOptions): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.caller.request({ method: "GET", path: [...this.#pathOf(id), at] }, call);
    return readAs(z.looseObject({}), answer, this.caller.dialect);
  }

  async delete(id: string, call?: CallOptions): Promise<Mutation<never>> {
    const answer = await this.#request("DELETE", id, undefined, call);
    return readDeleted(answer, this.caller.dialect);
  }

  list(call?: CallOptions): AsyncIterable<T> {
    const { path, query, item } = this.place;
    return listAll(this.caller, item, { path, query }, call);
  }

  read(id: string, call?: CallOptions): Promise<T> {
    return this.#reader.read(id, call);
  }

  quoteCreate(body: CreateRequest, call?: CallOptions): Promise<CostQuote> {
    return this.quotes.create(this.place.path, this.place.owner, body, call);
  }

  quoteUpdate(id: string, body: UpdateRequest, call?: CallOptions): Promise<CostQuoteUpdate> {
    return this.quotes.update(this.#pathOf(id), body, call);
  }

  async *#readablePages(call: CallOptions): AsyncGenerator<Page<T>, void, undefined> {
    const { path, query, item } = this.place;
    for await (const { items, next } of listPages(
      this.caller,
      item.optional().catch(undefined),
      { path, query },
      call,
    )) {
      yield { items: items.filter((each) => each !== undefined), next };
    }
  }

  #request(method: ApiRequest["method"], id: string, body?: object, call?: CallOptions): Promise<Answer> {
    return inEitherCase(id, (spelled) =>
      this.caller.request({ method, path: this.#pathOf(spelled), ...(body && { body }) }, call),
    );
  }

  #pathOf(id: string): readonly string[] {
    return [...this.place.path, id];
  }
}

/** The collections of one kind, by what they are in: each is made once, since all reads of it share its lists. */
export function collectionsIn<C>(make: (parent: string) => C): (parent: string) => C {
  const made = new Map<string, C>();
  return (parent) => {
    const collection = made.get(parent) ?? make(parent);
    made.set(parent, collection);
    return collection;
  };
}
