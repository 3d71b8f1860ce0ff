import type { z } from "zod";
import { OrderedList } from "../model/ordered-list";
import { type Filters, matchesOf } from "../schemas/filters";
import { listOf, pageQuery, sortBy } from "../schemas/list";
import type { CallContext } from "./call";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";

type Wanted = Readonly<Record<string, unknown>>;

/** A list, as one endpoint serves it. */
export interface List<T> extends Pick<AnyEndpoint, "path" | "operationId" | "summary" | "needs" | "needsOneOf"> {
  /** All objects that it may show, oldest first. */
  readonly items: (call: CallContext, wanted: Wanted) => OrderedList<T>;
  /** An object as it is answered, if it differs. */
  readonly show?: (object: T, call: CallContext) => unknown;
  readonly shown: z.ZodType;
  readonly newestFirst?: boolean;
  /** Parameters besides the filters. */
  readonly parameters?: Readonly<Record<string, z.ZodType>>;
  readonly filters?: Filters<T>;
  /** The fields that it can be sorted by, besides the time of creation. Absent: it cannot be sorted. */
  readonly sorts?: readonly string[];
  /** The sort key of a field, if an answered object has no member of its name. */
  readonly sortValues?: Readonly<Record<string, (object: T) => string | number>> | undefined;
  /** The objects that the caller sees, and a mark for cursors, which others cannot use. Undefined: all objects. */
  readonly scope?: (call: CallContext) => { readonly mark: unknown; sees(object: T): boolean } | undefined;
}

/** The endpoint that lists objects (section 2.1), page by page. */
export function listEndpoint<T>(description: List<T>): AnyEndpoint {
  const {
    items,
    show,
    shown,
    newestFirst,
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
      return answerPage(
        {
          list: items(call, wanted),
          ...{ sort, sortValues, newestFirst },
          filters: scoped ? { ...wanted, scope: scoped.mark } : wanted,
          matches: scoped ? (object) => scoped.sees(object) && (isMatch?.(object) ?? true) : isMatch,
          wire: (object) => show?.(object, call) ?? object,
        },
        { cursor, limit },
      );
    },
  });
}

/** The items of a catalogue, which do not change. */
export function fixedItems<T>(items: readonly T[]): () => OrderedList<T> {
  const list = OrderedList.of(items);
  return () => list;
}
