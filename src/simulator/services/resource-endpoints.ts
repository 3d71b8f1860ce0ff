import type { z } from "zod";
import { conflict } from "../model/api-error";
import type { Lifecycle, Resource } from "../model/lifecycle";
import type { OrderedList } from "../model/ordered-list";
import type { ResourceType } from "../model/permissions";
import type { Usage } from "../model/prices";
import type { World } from "../model/world";
import { costQuoteSchema, costQuoteUpdateSchema } from "../schemas/cost";
import { listOf, type sortedPageQuery } from "../schemas/list";
import { operationSchema } from "../schemas/operation";
import type { Call, CallContext } from "./call";
import { changesBetween } from "./changes";
import { quote, quoteUpdate } from "./cost";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerOperation } from "./operations";
import { answerPage } from "./pages";
import { matchesOf, type Filtered, type Filters, type OwnFilters } from "./resource-lists";

/** What tells the kinds of infrastructure apart: all else about their endpoints is the same. */
export interface ResourceKind<
  T extends Resource & Filtered,
  Q extends z.ZodObject,
  C extends z.ZodObject,
  U extends z.ZodObject,
> {
  /** As in `connect connection`. */
  readonly noun: string;
  /** As in `ConnectConnection`. */
  readonly typeName: string;
  /** The kind of an audit log's target, and what stands before the dot of its action. */
  readonly targetType: string;
  readonly resourceType: ResourceType;
  readonly collection: string;
  readonly idParameter: string;
  readonly listQuery: Q;
  /** The filters of the list that only this kind has. */
  readonly ownFilters?: OwnFilters<T>;
  readonly create: C;
  readonly update: U;
  readonly resource: z.ZodType;
  /** Whether the dialect has cost endpoints for the kind. */
  readonly isQuoted: boolean;
  /** Refuses what there is no room for; absent where the dialect cannot be asked whether a resource is available. */
  readonly requireAvailable?: ((call: CallContext, body: z.infer<C>) => void) | undefined;
  lifecycle(world: World): Lifecycle<T>;
  /** Finds what the path names: 404 or 403 otherwise. */
  find(call: CallContext): T;
  /** The list that a query asks for. */
  list(call: CallContext, query: z.infer<Q>): OrderedList<T>;
  /** Reads the body of a creation: scope first, then the rules that need the state. */
  readCreate(call: Call<z.ZodObject, C>): z.infer<C>;
  /** Reads the body of an update into the members it changes. */
  readUpdate(call: Call<z.ZodObject, U>, object: T): Partial<T>;
  /** A new object; may refuse, for a reason that the body alone does not show. */
  make(call: Call<z.ZodObject, C>, body: z.infer<C>): T;
  /** Refuses a deletion where something depends on the object. */
  beforeDelete?(call: CallContext, object: T): void;
  usage(of: z.infer<C> | T): readonly Usage[];
  /** The members in an operation's list of changes, where they are not those of the object: a change is flat. */
  fields?(members: Partial<T>): object;
  wire(world: World, object: T): object;
}

/** The endpoints of a kind of infrastructure: paths, shapes and answers as public clients know them. */
export function resourceEndpoints<
  T extends Resource & Filtered,
  Q extends typeof sortedPageQuery,
  C extends z.ZodObject,
  U extends z.ZodObject,
>(kind: ResourceKind<T, Q, C, U>): readonly AnyEndpoint[] {
  const { noun, typeName, targetType, resourceType, collection } = kind;
  const item = `${collection}/{${kind.idParameter}}`;
  const read = { resourceType, level: "read" } as const;
  const edit = { resourceType, level: "edit" } as const;
  const audit = (verb: string) => ({
    action: `${targetType}.${verb}`,
    targetType,
    targetParameter: kind.idParameter,
  });
  const operation = { status: 202, response: operationSchema };

  const endpoints: AnyEndpoint[] = [
    defineEndpoint<z.ZodObject, C>({
      method: "POST",
      path: collection,
      operationId: `create${typeName}`,
      summary: `Creates a ${noun}.`,
      needs: edit,
      body: kind.create,
      ...operation,
      audit: { action: `${targetType}.create`, targetType },
      handle(call) {
        const object = kind.make(call, kind.readCreate(call));
        return answerOperation(call, kind.lifecycle(call.world).create(object, call.request.operationFault));
      },
    }),
    defineEndpoint<Q>({
      method: "GET",
      path: collection,
      operationId: `list${typeName}s`,
      summary: `Lists ${noun}s, oldest first.`,
      needs: read,
      query: kind.listQuery,
      status: 200,
      response: listOf(kind.resource),
      handle(call) {
        const query = call.query();
        const { cursor, limit, sort, ...filters } = query as z.infer<typeof sortedPageQuery> &
          Filters &
          Readonly<Record<string, unknown>>;
        return answerPage(
          {
            list: kind.list(call, query),
            sort,
            filters,
            matches: matchesOf(filters, kind.ownFilters),
            wire: (object) => kind.wire(call.world, object),
          },
          { cursor, limit },
        );
      },
    }),
    defineEndpoint({
      method: "GET",
      path: item,
      operationId: `get${typeName}`,
      summary: `Shows a ${noun}.`,
      needs: read,
      status: 200,
      response: kind.resource,
      handle: (call) => ({ status: 200, body: kind.wire(call.world, kind.find(call)) }),
    }),
    defineEndpoint<z.ZodObject, U>({
      method: "PATCH",
      path: item,
      operationId: `update${typeName}`,
      summary: `Changes a ${noun}.`,
      needs: edit,
      body: kind.update,
      ...operation,
      audit: audit("update"),
      handle(call) {
        const object = kind.find(call);
        const members = kind.readUpdate(call, object);
        const fieldsOf = (all: Partial<T>): object => kind.fields?.(all) ?? all;
        const changes = changesBetween(fieldsOf(object), fieldsOf(members));
        return answerOperation(
          call,
          kind.lifecycle(call.world).update(object, members, changes, call.request.operationFault),
        );
      },
    }),
    defineEndpoint({
      method: "DELETE",
      path: item,
      operationId: `delete${typeName}`,
      summary: `Deletes a ${noun}.`,
      needs: edit,
      ...operation,
      audit: audit("delete"),
      handle(call) {
        const object = kind.find(call);
        kind.beforeDelete?.(call, object);
        return answerOperation(call, kind.lifecycle(call.world).delete(object, call.request.operationFault));
      },
    }),
  ];
  return [...endpoints, ...quoteEndpoints(kind), ...availabilityEndpoints(kind)];
}

function quoteEndpoints<
  T extends Resource & Filtered,
  Q extends z.ZodObject,
  C extends z.ZodObject,
  U extends z.ZodObject,
>(kind: ResourceKind<T, Q, C, U>): readonly AnyEndpoint[] {
  if (!kind.isQuoted) return [];
  const { noun, typeName, resourceType, collection } = kind;
  const read = { resourceType, level: "read" } as const;
  return [
    defineEndpoint<z.ZodObject, C>({
      method: "POST",
      path: `${collection}/cost`,
      operationId: `quote${typeName}`,
      summary: `Quotes a proposed ${noun}.`,
      needs: read,
      body: kind.create,
      status: 200,
      response: costQuoteSchema,
      handle: (call) => ({ status: 200, body: quote(call, kind.usage(kind.readCreate(call))) }),
    }),
    defineEndpoint<z.ZodObject, U>({
      method: "PATCH",
      path: `${collection}/{${kind.idParameter}}/cost`,
      operationId: `quote${typeName}Update`,
      summary: `Quotes an update of a ${noun}.`,
      needs: read,
      body: kind.update,
      status: 200,
      response: costQuoteUpdateSchema,
      handle(call) {
        const object = kind.find(call);
        const members = kind.readUpdate(call, object);
        return { status: 200, body: quoteUpdate(call, kind.usage(object), kind.usage({ ...object, ...members })) };
      },
    }),
  ];
}

/** Whether a request would be taken, without the effect: 204, or the answer that it would get. */
function availabilityEndpoints<
  T extends Resource & Filtered,
  Q extends z.ZodObject,
  C extends z.ZodObject,
  U extends z.ZodObject,
>(kind: ResourceKind<T, Q, C, U>): readonly AnyEndpoint[] {
  const { noun, typeName, resourceType, collection, requireAvailable } = kind;
  if (!requireAvailable) return [];
  const needs = { resourceType, level: "read" } as const;
  return [
    defineEndpoint<z.ZodObject, C>({
      method: "POST",
      path: `${collection}/availability`,
      operationId: `check${typeName}`,
      summary: `Says whether a ${noun} could be created.`,
      needs,
      body: kind.create,
      status: 204,
      handle(call) {
        requireAvailable(call, kind.readCreate(call));
        return { status: 204 };
      },
    }),
    defineEndpoint<z.ZodObject, U>({
      method: "PATCH",
      path: `${collection}/{${kind.idParameter}}/availability`,
      operationId: `check${typeName}Update`,
      summary: `Says whether a ${noun} could be changed.`,
      needs,
      body: kind.update,
      status: 204,
      handle(call) {
        const object = kind.find(call);
        kind.readUpdate(call, object);
        if (object.status === "deleting") throw conflict("the resource is being deleted");
        return { status: 204 };
      },
    }),
  ];
}
