import { createHash } from "node:crypto";
import { invalid } from "../model/rejection";

interface Term {
  readonly field: string;
  readonly descending: boolean;
}

/** The position of an object in a list: the value of each term. Empty: the start of the list. */
type SortKey = readonly (string | number)[];

/** An object of a list, and its position there. */
export interface Row<T> {
  readonly value: T;
  readonly key: SortKey;
}

/**
 * One page of a list (section 2.1). A cursor is a position in the order, not an object. So earlier changes shift
 * nothing, and the cursor stays valid if its object is deleted.
 */
export function pageOf<T>(
  rows: Row<T>[],
  order: readonly Term[],
  { mark, cursor, limit }: { readonly mark: string; readonly cursor?: string | undefined; readonly limit: number },
) {
  const start = cursor === undefined ? [] : readCursor(cursor, mark);
  rows.sort((a, b) => compareKeys(a.key, b.key, order));
  const first = start.length === 0 ? 0 : rows.findLastIndex(({ key }) => compareKeys(key, start, order) <= 0) + 1;
  const shown = rows.slice(first, first + limit);
  const last = first + limit < rows.length ? shown.at(-1) : undefined;
  return {
    rows: shown,
    pagination: {
      next_cursor: last ? writeCursor(last.key, mark) : null,
      // If fewer rows than a page precede it, the previous page begins at the start of the list.
      previous_cursor: first > 0 ? writeCursor(rows[first - 1 - limit]?.key ?? [], mark) : null,
      total_count: rows.length,
    },
  };
}

/**
 * The terms of the order. The last is `created_at`: no two objects are created at once, so no later term has an effect.
 */
export function orderOf(sort: string | undefined, newestFirst: boolean): readonly Term[] {
  if (sort === undefined) return [{ field: "created_at", descending: newestFirst }];
  const terms = sort.split(",").map(readTerm);
  const byCreation = terms.findIndex(({ field }) => field === "created_at");
  return byCreation < 0 ? [...terms, { field: "created_at", descending: false }] : terms.slice(0, byCreation + 1);
}

function readTerm(text: string): Term {
  const [field = "", direction] = text.split(":");
  return { field, descending: direction === "desc" };
}

function compareKeys(a: SortKey, b: SortKey, order: readonly Term[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index] ?? "";
    if (value !== other) return value < other === order[index]?.descending ? 1 : -1;
  }
  return 0;
}

/** Times are compared as instants: as text, a time with a fraction would come before one without. */
export function sortValue(field: string, value: unknown): string | number {
  if (typeof value === "number") return value;
  return field.endsWith("_at") ? Date.parse(String(value)) : String(value);
}

function writeCursor(key: SortKey, mark: string): string {
  return Buffer.from(JSON.stringify([mark, ...key])).toString("base64url");
}

function readCursor(cursor: string, mark: string): SortKey {
  const [cursorMark, ...key] = parsedList(Buffer.from(cursor, "base64url").toString());
  if (!key.every((value) => typeof value === "string" || typeof value === "number")) throw noCursor();
  if (typeof key.at(-1) === "string") throw noCursor();
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

/** A text for the order and the filters, so that a cursor is valid for the same ones only. */
export function markOf(order: readonly Term[], filters: object): string {
  const text = JSON.stringify([order, filters]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 6);
}
