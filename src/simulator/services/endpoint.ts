import type { z } from "zod";
import type { PermissionLevel, ResourceType } from "../model/callers";
import { OrderedList } from "../model/ordered-list";
import { type Filters, listOf, matchesOf, pageQuery, sortBy } from "../schemas/lists";
import type { Call, RequestSchemas } from "./call";
import { answerPage } from "./pages";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export interface Answer {
  readonly body?: unknown;
  /** The id of a created object, for the audit log. Otherwise the path has it. */
  readonly targetId?: string;
}

/** One operation of the API: its documentation, the caller's necessary permission, and its function. */
export interface Endpoint<
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
> extends RequestSchemas<Q, B> {
  readonly method: Method;
  /** With parameters as `{vpc_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The permission without which nothing of the handler runs (section 5.5); null: any valid key will do. */
  readonly needs: { readonly resourceType: ResourceType; readonly level: PermissionLevel } | null;
  /** For objects of several resource types: a key that may read none of them is refused first. */
  readonly needsOneOf?: readonly ResourceType[];
  /** Whether a request must say which attempt it is, in the header Idempotency-Key. */
  readonly needsIdempotencyKey?: boolean;
  readonly status: number;
  /** The shape of the answer; absent: it has no body. */
  readonly response?: z.ZodType;
  /** For the audit log (section 2.4): the kind of the target and the path parameter with its id. */
  readonly audit?: { readonly action: string; readonly targetType: string; readonly targetParameter?: string };
  handle(call: Call<Q, B>): Answer;
}

/** Ties the types of an endpoint's handler to its schemas. */
export function defineEndpoint<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q, B>, "status"> & { readonly status?: number },
): Endpoint {
  // The adapter makes the Call with this endpoint's own schemas, so the handler gets what it was typed for.
  return { status: 200, ...endpoint };
}

/** An endpoint that shows something. */
export function showEndpoint<Q extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q>, "method" | "status" | "handle"> & { show(call: Call<Q>): unknown },
): Endpoint {
  return defineEndpoint<Q>({ ...endpoint, method: "GET", handle: (call) => ({ body: endpoint.show(call) }) });
}

type Wanted = Readonly<Record<string, unknown>>;

export interface List<T> extends Pick<Endpoint, "path" | "operationId" | "summary" | "needs" | "needsOneOf"> {
  /** All objects that it may show, oldest first. */
  readonly items: (call: Call, wanted: Wanted) => OrderedList<T>;
  /** An object as it is answered, if it differs. */
  readonly show?: (object: T, call: Call) => unknown;
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
  readonly scope?: (call: Call) => { readonly mark: unknown; sees(object: T): boolean } | undefined;
}

/** The endpoint that lists objects (section 2.1), page by page. */
export function listEndpoint<T>(description: List<T>): Endpoint {
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
      const body = answerPage(
        {
          list: items(call, wanted),
          ...{ sort, sortValues, newestFirst },
          filters: scoped ? { ...wanted, scope: scoped.mark } : wanted,
          matches: scoped ? (object) => scoped.sees(object) && (isMatch?.(object) ?? true) : isMatch,
          wire: (object) => show?.(object, call) ?? object,
        },
        { cursor, limit },
      );
      return { body };
    },
  });
}

/** The items of a catalogue, which do not change. */
export function fixedItems<T>(items: readonly T[]): () => OrderedList<T> {
  const list = OrderedList.of(items);
  return () => list;
}
