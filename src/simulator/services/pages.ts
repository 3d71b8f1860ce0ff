import { createHash } from "node:crypto";
import { invalid } from "../model/api-error";
import type { OrderedList } from "../model/ordered-list";
import type { Answer } from "./endpoint";
import { FirstFew } from "./first-few";

/** Which page is asked for. */
export interface PageRequest {
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** The parts of a list. */
export interface Listing<T> {
  readonly list: OrderedList<T>;
  /** The terms of the query, as `name:asc,created_at:desc`; undefined: by creation. */
  readonly sort?: string | undefined;
  /** The default order of the list. */
  readonly newestFirst?: boolean | undefined;
  /** A text for the filters, so that a cursor is not used with others. Undefined without filters. */
  readonly filters?: unknown;
  /** Whether an object is in the list. Undefined: all are, and only the page is read. */
  readonly matches?: ((value: T) => boolean) | undefined;
  readonly wire: (value: T) => unknown;
  /** The sort key of a field, if the wire has no member of its name. */
  readonly sortValues?: Readonly<Record<string, (value: T) => string | number>> | undefined;
}

/** Answers one page of a list (section 2.1). A cursor is a position in the order, so changes before it shift nothing. */
export function answerPage<T>(listing: Listing<T>, { cursor, limit }: PageRequest): Answer {
  const { list, matches, wire, sort } = listing;
  const terms = sort?.split(",").map(readTerm) ?? [];
  // No two objects are created at once: what comes behind created_at decides nothing.
  if (terms[0] && terms[0].field !== "created_at") return answerSortedPage(listing, terms, { cursor, limit });
  const newestFirst = terms[0]?.descending ?? listing.newestFirst ?? false;
  const mark = markOf(newestFirst, listing.filters);
  const start = cursor === undefined ? (newestFirst ? Infinity : 0) : readCursor(cursor, mark);
  const forward = newestFirst ? list.before(start) : list.after(start);
  const page = take(forward, limit + 1, matches);
  const shown = page.slice(0, limit);
  const last = shown.at(-1);
  const next = page.length > limit && last ? writeCursor(last.position, mark) : null;
  return {
    body: {
      items: shown.map(({ value }) => wire(value)),
      pagination: {
        next_cursor: next,
        previous_cursor: cursor === undefined ? null : previousCursor({ ...listing, newestFirst }, start, limit, mark),
        total_count: matches ? count(list, matches) : list.size,
      },
    },
  };
}

function take<T>(
  entries: Iterable<{ readonly position: number; value: T }>,
  count: number,
  matches: ((value: T) => boolean) | undefined,
): { readonly position: number; value: T }[] {
  const taken: { readonly position: number; value: T }[] = [];
  for (const entry of entries) {
    if (!matches || matches(entry.value)) taken.push(entry);
    if (taken.length >= count) break;
  }
  return taken;
}

function count<T>(list: OrderedList<T>, matches: (value: T) => boolean): number {
  let matching = 0;
  for (const { value } of list.after(0)) if (matches(value)) matching += 1;
  return matching;
}

/** The cursor of the previous page. Null on the first page. */
function previousCursor<T>(listing: Listing<T>, start: number, limit: number, mark: string): string | null {
  const { list, newestFirst = false, matches } = listing;
  const backward = newestFirst ? list.after(start - 1) : list.before(start + 1);
  const behind = take(backward, limit + 1, matches);
  if (behind.length === 0) return null;
  const before = behind[limit];
  return writeCursor(before ? before.position : newestFirst ? Number.MAX_SAFE_INTEGER : 0, mark);
}

interface Term {
  readonly field: string;
  readonly descending: boolean;
}

function readTerm(text: string): Term {
  const [field = "", direction] = text.split(":");
  return { field, descending: direction === "desc" };
}

/** An object's position in a sorted list: its sort values, and its position in the order of creation. */
type SortKey = readonly (string | number)[];

/** An object on the wire, and its position in a sorted list. */
interface Row {
  readonly item: unknown;
  readonly key: SortKey;
}

/**
 * A page of a list that is sorted by its fields. It reads the complete list, and keeps only the page and the previous one. A cursor
 * is a key, so it stays valid if its object is deleted.
 */
function answerSortedPage<T>(listing: Listing<T>, terms: readonly Term[], { cursor, limit }: PageRequest): Answer {
  const mark = markOf(listing.sort, listing.filters);
  const start = cursor === undefined ? [] : readSortCursor(cursor, mark);
  const ahead = new FirstFew<Row>(limit + 1, (a, b) => compareKeys(a.key, b.key, terms));
  const behind = new FirstFew<Row>(limit + 1, (a, b) => compareKeys(b.key, a.key, terms));
  let total = 0;
  for (const { position, value } of listing.list.after(0)) {
    if (listing.matches?.(value) === false) continue;
    total += 1;
    const item = listing.wire(value) as Readonly<Record<string, unknown>>;
    const values = terms.map(({ field }) =>
      field === "created_at" ? position : (listing.sortValues?.[field]?.(value) ?? sortValue(field, item[field])),
    );
    const key = [...values, position];
    const isBehind = start.length > 0 && compareKeys(key, start, terms) <= 0;
    (isBehind ? behind : ahead).add({ item, key });
  }
  const shown = ahead.values.slice(0, limit);
  const last = ahead.values.length > limit ? shown.at(-1) : undefined;
  return {
    body: {
      items: shown.map(({ item }) => item),
      pagination: {
        next_cursor: last ? writeSortCursor(last.key, mark) : null,
        // If less than a page comes before, the previous page begins at the start of the list.
        previous_cursor: behind.values.length > 0 ? writeSortCursor(behind.values[limit]?.key ?? [], mark) : null,
        total_count: total,
      },
    },
  };
}

function compareKeys(a: SortKey, b: SortKey, terms: readonly Term[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other === (terms[index]?.descending ?? false) ? 1 : -1;
  }
  return 0;
}

/** Times are compared as instants: as text, one with a fraction of a second would come before one without. */
function sortValue(field: string, value: unknown): string | number {
  if (typeof value === "number") return value;
  return field.endsWith("_at") ? Date.parse(String(value)) : String(value);
}

function writeSortCursor(key: SortKey, mark: string): string {
  return Buffer.from(JSON.stringify([mark, ...key])).toString("base64url");
}

function readSortCursor(cursor: string, mark: string): SortKey {
  const [cursorMark, ...key] = parsedList(Buffer.from(cursor, "base64url").toString());
  if (!key.every((value) => typeof value === "string" || typeof value === "number")) throw noCursor();
  if (cursorMark !== mark) throw otherCursor();
  return key;
}

function parsedList(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    throw noCursor();
  }
}

const noCursor = (): Error => invalid({ cursor: "is not a cursor of this list" });
const otherCursor = (): Error => invalid({ cursor: "belongs to other filters or another order" });

function markOf(order: boolean | string | undefined, filters: unknown): string {
  const text = JSON.stringify([order, filters ?? null]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 6);
}

function writeCursor(position: number, mark: string): string {
  return Buffer.from(`${position}.${mark}`).toString("base64url");
}

function readCursor(cursor: string, mark: string): number {
  const [position, cursorMark] = Buffer.from(cursor, "base64url").toString().split(".");
  if (!/^\d{1,16}$/.test(position ?? "")) throw noCursor();
  if (cursorMark !== mark) throw otherCursor();
  return Number(position);
}
