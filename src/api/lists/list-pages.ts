import type { z } from "zod";
import type { ApiRequest, CallOptions } from "../http/request";
import type { Caller } from "../http/caller";
import { BadRequestError } from "../errors/api-error";
import { InvalidResponseError } from "../errors/no-usable-response";
import type { ApiResponse } from "../http/response";
import { idKey } from "../../definition/same-id";
import { page } from "../schema";

/**
 * The size of page to ask for, so that a list takes few requests. The specification shows no limits: see `requestPage`.
 */
const PAGE_LIMIT = "100";

/** No list has as many pages. A longer one is a fault of the API. */
const MAX_PAGES = 5_000;
/**
 * A page may be empty, for example if the API skips objects that the key may not see. This many in a row are a fault.
 */
const MAX_EMPTY_PAGES = 100;

interface ListRequest extends Pick<ApiRequest, "path"> {
  readonly query?: Readonly<Record<string, string>> | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | undefined;
  /** The API's count, if it gives one. The specification does not say whether it is that of all pages. */
  readonly totalCount?: number | undefined;
}

export async function readPage<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  cursor?: string,
  options?: CallOptions,
): Promise<Page<T> & { readonly response: ApiResponse }> {
  const response = await requestPage(caller, request, cursor, options);
  const { items, pagination } = caller.parse(page, response);
  const read = items.map((body, index) => caller.parse(item, { ...response, body }, ["items", index]));
  const { next_cursor: next, total_count: totalCount } = pagination;
  return { items: read, next: next || undefined, totalCount: totalCount ?? undefined, response };
}

/**
 * If the API refuses a page, but not one of the size that it chooses itself, all later lists of these objects have that
 * size.
 */
async function requestPage(
  caller: Caller,
  { path, query }: ListRequest,
  cursor: string | undefined,
  options: CallOptions | undefined,
): Promise<ApiResponse> {
  const sizedPages = `GET ${path.at(-1)} with limit`;
  const send = (limit?: string): Promise<ApiResponse> =>
    caller.request({ method: "GET", path, query: { limit, ...query, cursor } }, options);
  if (caller.notOffered.has(sizedPages)) return send();
  try {
    return await send(PAGE_LIMIT);
  } catch (error) {
    if (!(error instanceof BadRequestError)) throw error;
    const response = await send();
    caller.notOffered.add(sizedPages);
    return response;
  }
}

/** All items, as pages arrive. A deadline in `call` is for each page. */
export async function* listAll<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  options?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const { items } of listPages(caller, item, request, options)) yield* items;
}

/**
 * The pages, one at a time. A deadline in `call` is for each page. Rejects if the list has no end. If the list changes
 * meanwhile, an object may be on two pages: it is left out of the second one.
 */
export async function* listPages<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  options?: CallOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const seen = new Set<string>();
  const ids = new Set<string>();
  let cursor: string | undefined;
  let empty = 0;
  for (;;) {
    const current = await readPage(caller, item, request, cursor, options);
    yield { ...current, items: current.items.filter((item) => isNew(item, ids)) };
    cursor = current.next;
    if (cursor === undefined) return;
    empty = current.items.length === 0 ? empty + 1 : 0;
    const reason = endless(seen, cursor, empty);
    if (reason !== undefined)
      throw new InvalidResponseError(current.response.line, "endless", `the list has no end: ${reason}.`);
    seen.add(cursor);
  }
}

/** Notes the item's id. False if an earlier page had it. An item without an id is always new. */
function isNew(item: unknown, ids: Set<string>): boolean {
  if (typeof item !== "object" || item === null || !("id" in item) || typeof item.id !== "string") return true;
  const before = ids.size;
  return ids.add(idKey(item.id)).size > before;
}

function endless(seen: ReadonlySet<string>, cursor: string, empty: number): string | undefined {
  if (seen.has(cursor)) return "a cursor was repeated";
  if (empty >= MAX_EMPTY_PAGES) return `${MAX_EMPTY_PAGES} pages in a row had a cursor but no items`;
  return seen.size >= MAX_PAGES ? `it has more than ${MAX_PAGES} pages` : undefined;
}
