import type { z } from "zod";
import type { PermissionLevel, ResourceType } from "../schemas/api-key";
import type { Entry } from "../model/table";
import { type Filters, listOf, matchesOf, pageQuery, sortBy } from "../schemas/lists";
import type { Call, RequestSchemas } from "./call";
import { answerPage } from "./pages";

export interface EndpointAnswer {
  readonly body?: unknown;
  /** The id of a created object, for the audit log. Other requests have it in the path. */
  readonly targetId?: string;
}

/** One operation of the API: its documentation, the permission that the caller needs, and its function. */
export interface Endpoint<
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
> extends RequestSchemas<Q, B> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** The path, with parameters such as `{vpc_id}`. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  /** The permission that is checked before the handler runs (section 5.5). Null: any valid key may call it. */
  readonly needs: { readonly resourceType: ResourceType; readonly level: PermissionLevel } | null;
  /** For objects of several resource types: a key that may read none of them is rejected first. */
  readonly needsOneOf?: readonly ResourceType[];
  /** True if a request must have the header Idempotency-Key. */
  readonly needsIdempotencyKey?: boolean;
  readonly status: number;
  /** The schema of the answer. Absent: the answer has no body. */
  readonly response?: z.ZodType;
  /** For the audit log (section 2.4): the kind of the target, and the path parameter with its id. */
  readonly audit?: { readonly action: string; readonly targetType: string; readonly targetParameter?: string };
  handle(call: Call<Q, B>): EndpointAnswer;
}

/** Connects the types of an endpoint's handler to its schemas. */
export function defineEndpoint<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q, B>, "status"> & { readonly status?: number },
): Endpoint {
  // The HTTP layer creates the Call with this endpoint's own schemas, so these types are right.
  return { status: 200, ...endpoint };
}

/** An endpoint that reads something. */
export function showEndpoint<Q extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q>, "method" | "status" | "handle"> & { show(call: Call<Q>): unknown },
): Endpoint {
  return defineEndpoint<Q>({ ...endpoint, method: "GET", handle: (call) => ({ body: endpoint.show(call) }) });
}

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
          entries: items(call, wanted),
          ...{ sort, sortValues, newestFirst },
          filters: scoped ? { ...wanted, scope: scoped.mark } : wanted,
          matches: (object) => scoped?.sees(object) !== false && isMatch(object),
          wire: (object) => show?.(object, call) ?? object,
        },
        { cursor, limit },
      );
      return { body };
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
