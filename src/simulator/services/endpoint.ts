import type { z } from "zod";
import type { PermissionLevel, ResourceType } from "../model/permissions";
import type { Call, RequestSchemas } from "./call";

/** The method of an endpoint. */
export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** The successful answer of an endpoint. */
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
  /** Of a successful answer. */
  readonly status: number;
  /** The shape of the answer; absent: it has no body. */
  readonly response?: z.ZodType;
  /** For the audit log (section 2.4): the kind of the target and the path parameter with its id. */
  readonly audit?: { readonly action: string; readonly targetType: string; readonly targetParameter?: string };
  handle(call: Call<Q, B>): Answer;
}

/** An endpoint whose query and body types no longer matter: the form in which the adapter and the document see it. */
export type AnyEndpoint = Endpoint;

/** Ties the types of an endpoint's handler to its schemas. */
export function defineEndpoint<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q, B>, "status"> & { readonly status?: number },
): AnyEndpoint {
  // The adapter makes the Call with this endpoint's own schemas, so the handler gets what it was typed for.
  return { status: 200, ...endpoint };
}

/** An endpoint that shows something. */
export function showEndpoint<Q extends z.ZodObject = z.ZodObject>(
  endpoint: Omit<Endpoint<Q>, "method" | "status" | "handle"> & { show(call: Call<Q>): unknown },
): AnyEndpoint {
  return defineEndpoint<Q>({ ...endpoint, method: "GET", handle: (call) => ({ body: endpoint.show(call) }) });
}
