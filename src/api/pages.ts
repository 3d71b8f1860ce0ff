import type { z } from "zod";
import type { ApiRequest } from "./api-request";
import type { CallOptions } from "./call-options";
import type { Caller } from "./caller";
import { InvalidResponseError } from "./invalid-response-error";
import { readAs, type Answer } from "./read-response";
import { page } from "./schema";

/** How many items a page is asked for, and the most that any is; the service may give fewer. */
export const PAGE_LIMIT = 100;

/** A list endpoint. */
export interface ListRequest extends Pick<ApiRequest, "path" | "isPoll"> {
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** One page (specification section 2.1). */
export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next one; undefined on the last. */
  readonly next: string | undefined;
}

/** Fetches one page. */
export async function readPage<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  cursor?: string,
  call?: CallOptions,
): Promise<Page<T> & { readonly answer: Answer }> {
  const limited = { limit: String(PAGE_LIMIT), ...request.query, cursor };
  const answer = await caller.request({ ...request, method: "GET", query: limited }, call);
  const { items, pagination } = readAs(page, answer, caller.dialect);
  const read = items.map((body, index) => readAs(item, { ...answer, body }, caller.dialect, ["items", index]));
  const isLast = items.length === 0 || !pagination.next_cursor;
  return { items: read, next: isLast ? undefined : (pagination.next_cursor ?? undefined), answer };
}

/** All items, page after page as they are read; a deadline in `call` is for each page. */
export async function* listAll<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  call?: CallOptions,
): AsyncGenerator<T, void, undefined> {
  for await (const { items } of listPages(caller, item, request, call)) yield* items;
}

/** Page after page as they are asked for; a deadline in `call` is for each. */
export async function* listPages<T>(
  caller: Caller,
  item: z.ZodType<T>,
  request: ListRequest,
  call?: CallOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const seen = new Set<string>();
  let cursor: string | undefined;
  do {
    const current = await readPage(caller, item, request, cursor, call);
    yield current;
    cursor = current.next;
    if (cursor !== undefined && seen.has(cursor)) {
      throw new InvalidResponseError(current.answer.line, "endless", "the list has no end: a cursor came back.");
    }
    if (cursor !== undefined) seen.add(cursor);
  } while (cursor !== undefined);
}
