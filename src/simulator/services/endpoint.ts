import type { z } from "zod";
import type { PermissionLevel, ResourceType } from "../schemas/api-key";
import type { Call, RequestSchemas } from "./call";

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
