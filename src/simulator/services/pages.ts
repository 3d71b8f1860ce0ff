import { createHash } from "node:crypto";
import { invalid } from "../model/api-error";
import type { Entry, OrderedList } from "../model/ordered-list";

interface ListSpec<T> {
  readonly list: OrderedList<T>;
  /** The sort terms of the query, such as `name:asc,created_at:desc`. Undefined: the order of creation. */
  readonly sort?: string | undefined;
  readonly newestFirst?: boolean | undefined;
  /** A text for the filters, so that a cursor is valid for the same filters only. Undefined without filters. */
  readonly filters?: unknown;
  /** True if an object is in the list. Undefined: all are, so only the page is read. */
  readonly matches?: ((value: T) => boolean) | undefined;
  readonly wire: (value: T) => unknown;
  /** The sort key of a field, if an answered object has no member of that name. */
  readonly sortValues?: Readonly<Record<string, (value: T) => string | number>> | undefined;
}

/**
 * The position of an object in a list: its sort values, and its position in the order of creation. Empty: the start of
 * the list.
 */
type SortKey = readonly (string | number)[];

interface PageRow<T> {
  readonly value: T;
  readonly key: SortKey;
}

/** The first rows after a position, the first rows before it, and the number of all rows. */
interface PageRows<T> {
  readonly ahead: readonly PageRow<T>[];
  readonly behind: readonly PageRow<T>[];
  readonly total: number;
}

/**
 * Answers one page of a list (section 2.1). A cursor is a position in the order, not an object. So earlier changes
 * shift nothing, and the cursor stays valid if its object is deleted.
 */
export function answerPage<T>(
  listing: ListSpec<T>,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
) {
  const terms = listing.sort?.split(",").map(readTerm) ?? [];
  // No two objects are created at once, so terms after created_at have no effect.
  const isByCreation = terms.every(({ field }, index) => index > 0 || field === "created_at");
  const newestFirst = terms[0]?.descending ?? listing.newestFirst ?? false;
  const mark = markOf(isByCreation ? newestFirst : listing.sort, listing.filters);
  const start = cursor === undefined ? [] : readCursor(cursor, mark);
  // The row after a page shows whether there is a next page.
  const { ahead, behind, total } = isByCreation
    ? byCreation(listing, newestFirst, start, limit + 1)
    : sorted(listing, terms, start, limit + 1);
  const shown = ahead.slice(0, limit);
  const last = ahead.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map(({ value }) => listing.wire(value)),
    pagination: {
      next_cursor: last ? writeCursor(last.key, mark) : null,
      // If fewer rows than a page precede it, the previous page begins at the start of the list.
      previous_cursor: behind.length > 0 ? writeCursor(behind[limit]?.key ?? [], mark) : null,
      total_count: total,
    },
  };
}

/** Reads only the page and the previous one. Not possible with filters. */
function byCreation<T>(
  { list, matches }: ListSpec<T>,
  newestFirst: boolean,
  [start]: SortKey,
  most: number,
): PageRows<T> {
  if (typeof start === "string") throw noCursor();
  const forward = newestFirst ? list.before(start ?? Infinity) : list.after(start ?? 0);
  const backward = start === undefined ? [] : newestFirst ? list.after(start - 1) : list.before(start + 1);
  let total = matches ? 0 : list.size;
  if (matches) for (const { value } of list.after(0)) if (matches(value)) total += 1;
  return { ahead: take(forward, most, matches), behind: take(backward, most, matches), total };
}

function take<T>(entries: Iterable<Entry<T>>, most: number, matches: ListSpec<T>["matches"]): readonly PageRow<T>[] {
  const taken: PageRow<T>[] = [];
  for (const { position, value } of entries) {
    if (!matches || matches(value)) taken.push({ value, key: [position] });
    if (taken.length >= most) break;
  }
  return taken;
}

/** Reads the complete list, and keeps only the page and the previous one. */
function sorted<T>(listing: ListSpec<T>, terms: readonly Term[], start: SortKey, most: number): PageRows<T> {
  const ahead = new FirstFew<PageRow<T>>(most, (a, b) => compareKeys(a.key, b.key, terms));
  const behind = new FirstFew<PageRow<T>>(most, (a, b) => compareKeys(b.key, a.key, terms));
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
    (isBehind ? behind : ahead).add({ value, key });
  }
  return { ahead: ahead.values, behind: behind.values, total };
}

interface Term {
  readonly field: string;
  readonly descending: boolean;
}

function readTerm(text: string): Term {
  const [field = "", direction] = text.split(":");
  return { field, descending: direction === "desc" };
}

function compareKeys(a: SortKey, b: SortKey, terms: readonly Term[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other === (terms[index]?.descending ?? false) ? 1 : -1;
  }
  return 0;
}

/** Times are compared as instants: as text, a time with a fraction would come before one without. */
function sortValue(field: string, value: unknown): string | number {
  if (typeof value === "number") return value;
  return field.endsWith("_at") ? Date.parse(String(value)) : String(value);
}

function writeCursor(key: SortKey, mark: string): string {
  return Buffer.from(JSON.stringify([mark, ...key])).toString("base64url");
}

function readCursor(cursor: string, mark: string): SortKey {
  const [cursorMark, ...key] = parsedList(Buffer.from(cursor, "base64url").toString());
  if (!key.every((value) => typeof value === "string" || typeof value === "number")) throw noCursor();
  if (cursorMark !== mark) throw invalid({ cursor: "belongs to other filters or another order" });
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

function markOf(order: boolean | string | undefined, filters: unknown): string {
  const text = JSON.stringify([order, filters ?? null]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 6);
}

/** Keeps the first few of the added values in an order, without sorting all of them. */
export class FirstFew<T> {
  #values: T[] = [];
  /** No value beyond it is among the first few. */
  #last: T | undefined;

  /** `compare` is as for `Array.sort`. No two values may be equal. */
  constructor(
    private readonly most: number,
    private readonly compare: (a: T, b: T) => number,
  ) {}

  get values(): readonly T[] {
    return this.#values.sort(this.compare).slice(0, this.most);
  }

  add(value: T): void {
    if (this.#last !== undefined && this.compare(value, this.#last) > 0) return;
    this.#values.push(value);
    if (this.#values.length <= 8 * this.most) return;
    this.#values = [...this.values];
    this.#last = this.#values.at(-1);
  }
}
