import { createHash } from "node:crypto";
import { invalid } from "../model/api-error";
import type { OrderedList } from "../model/ordered-list";
import type { Answer } from "./endpoint";

/** Which page is asked for. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** What a list is made of. */
export interface Listing<T> {
  readonly list: OrderedList<T>;
  readonly newestFirst?: boolean;
  /** What the filters are, so that a cursor is not used with others; undefined: none. */
  readonly filters?: unknown;
  /** Whether an object is in the list; undefined: all are. Only with it is more looked at than the page. */
  readonly matches?: ((value: T) => boolean) | undefined;
  readonly wire: (value: T) => unknown;
}

/** Answers one page of a list (section 2.1). A cursor is a place in the order: what comes and goes before it shifts nothing. */
export function answerPage<T>(listing: Listing<T>, { cursor, limit }: PageRequest): Answer {
  const { list, newestFirst = false, matches, wire } = listing;
  const mark = markOf(newestFirst, listing.filters);
  const start = cursor === undefined ? (newestFirst ? Infinity : 0) : readCursor(cursor, mark);
  const forward = newestFirst ? list.before(start) : list.after(start);
  const page = take(forward, limit + 1, matches);
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  const next = page.length > limit && last ? writeCursor(last.place, mark) : null;
  return {
    status: 200,
    body: {
      items: shown.map(({ value }) => wire(value)),
      pagination: {
        next_cursor: next,
        previous_cursor: cursor === undefined ? null : previousCursor(listing, start, limit, mark),
        total_count: matches ? take(list.after(0), Infinity, matches).length : list.size,
      },
    },
  };
}

function take<T>(
  entries: Iterable<{ readonly place: number; value: T }>,
  count: number,
  matches: ((value: T) => boolean) | undefined,
): { readonly place: number; value: T }[] {
  const taken: { readonly place: number; value: T }[] = [];
  for (const entry of entries) {
    if (taken.length >= count) break;
    if (!matches || matches(entry.value)) taken.push(entry);
  }
  return taken;
}

/** The cursor of the page that ends where this one begins; null where nothing comes before. */
function previousCursor<T>(listing: Listing<T>, start: number, limit: number, mark: string): string | null {
  const { list, newestFirst = false, matches } = listing;
  const backward = newestFirst ? list.after(start - 1) : list.before(start + 1);
  const behind = take(backward, limit + 1, matches);
  if (behind.length === 0) return null;
  const before = behind[limit];
  return writeCursor(before ? before.place : newestFirst ? Number.MAX_SAFE_INTEGER : 0, mark);
}

function markOf(newestFirst: boolean, filters: unknown): string {
  const text = JSON.stringify([newestFirst, filters ?? null]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 6);
}

function writeCursor(place: number, mark: string): string {
  return Buffer.from(`${place}.${mark}`).toString("base64url");
}

function readCursor(cursor: string, mark: string): number {
  const [place, cursorMark] = Buffer.from(cursor, "base64url").toString().split(".");
  if (!/^\d{1,16}$/.test(place ?? "")) throw invalid({ cursor: "is not a cursor of this list" });
  if (cursorMark !== mark) throw invalid({ cursor: "belongs to other filters or another order" });
  return Number(place);
}
