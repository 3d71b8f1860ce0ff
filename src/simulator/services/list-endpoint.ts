import type { z } from "zod";
import type { Entry } from "../model/table";
import { type Filters, listOf, matchesOf, pageQuery, sortBy } from "../schemas/lists";
import type { Call } from "./call";
import { defineEndpoint, type Endpoint, showEndpoint } from "./endpoint";
import { markOf, orderOf, pageOf, type Row, sortValue } from "./pages";

interface List<T> extends Pick<Endpoint, "path" | "operationId" | "summary" | "needs" | "needsOneOf"> {
  /** All objects that the list may contain. */
  readonly items: (call: Call, wanted: Readonly<Record<string, unknown>>) => Iterable<Entry<T>>;
  /** Converts an object for the answer, if they differ. */
  readonly show?: (object: T, call: Call) => unknown;
  readonly shown: z.ZodType;
  readonly newestFirst?: boolean;
  /** Parameters besides the filters. */
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly filters?: Filters<T>;
  /** The fields that it can be sorted by, besides the time of creation. Absent: it cannot be sorted. */
  readonly sorts?: readonly string[];
  /** The sort key of a field, if an answered object has no member of that name. */
  readonly sortValues?: Readonly<Record<string, (object: T) => string | number>> | undefined;
  /**
   * The objects that the caller sees, and a mark that keeps other callers from using its cursors. Undefined: all
   * objects.
   */
  readonly scope?: (call: Call) => { readonly mark: unknown; sees(object: T): boolean } | undefined;
}

/** The endpoint that lists objects (section 2.1), page by page. */
export function listEndpoint<T>(description: List<T>): Endpoint {
  const {
    items,
    show,
    shown,
    newestFirst = false,
    parameters,
    filters = {},
    sorts,
    sortValues,
    scope,
    ...endpoint
  } = description;
  return defineEndpoint({
    ...endpoint,
    method: "GET",
    query: pageQuery.extend({
      ...(sorts && { sort: sortBy("created_at", ...sorts) }),
      ...parameters,
      ...Object.fromEntries(Object.entries(filters).map(([name, { schema }]) => [name, schema])),
    }),
    response: listOf(shown),
    handle(call) {
      const { cursor, limit, sort, ...wanted } = call.query() as z.infer<typeof pageQuery> & { readonly sort?: string };
      const isMatch = matchesOf(filters, wanted, call.nowMs);
      const scoped = scope?.(call);
      const order = orderOf(sort, newestFirst);
      const wire = (object: T): unknown => show?.(object, call) ?? object;
      const keyOf = (value: T, field: string): string | number =>
        sortValues?.[field]?.(value) ?? sortValue(field, (wire(value) as Readonly<Record<string, unknown>>)[field]);
      const rows: Row<T>[] = [];
      for (const { position, value } of items(call, wanted)) {
        if (scoped?.sees(value) === false || !isMatch(value)) continue;
        const key = order.map(({ field }) => (field === "created_at" ? position : keyOf(value, field)));
        rows.push({ value, key });
      }
      const mark = markOf(order, scoped ? { ...wanted, scope: scoped.mark } : wanted);
      const page = pageOf(rows, order, { mark, cursor, limit });
      return { body: { items: page.rows.map(({ value }) => wire(value)), pagination: page.pagination } };
    },
  });
}

interface Collection<T> extends List<T> {
  /** The endpoint of one object, with the path below the list's. */
  readonly one: Pick<Endpoint, "path" | "operationId" | "summary"> & { find(call: Call): T };
}

/** The endpoints of a list and of one of its objects. Both need the same permission, and show an object alike. */
export function collectionEndpoints<T>({ one, ...list }: Collection<T>): readonly Endpoint[] {
  const { path, needs, needsOneOf, shown, show } = list;
  const object = showEndpoint({
    ...{ needs, ...(needsOneOf && { needsOneOf }), response: shown },
    path: path + one.path,
    operationId: one.operationId,
    summary: one.summary,
    show(call) {
      const found = one.find(call);
      return show?.(found, call) ?? found;
    },
  });
  return [listEndpoint(list), object];
}

/** Returns a list that never changes, for a catalog. */
export function fixedItems<T>(items: readonly T[]): () => Iterable<Entry<T>> {
  const entries = items.map((value, position) => ({ position, value }));
  return () => entries;
}
