import type { z } from "zod";
import type { Dialect } from "../dialect";
import { operation, type Operation } from "./operation";
import { readAs, type Answer } from "../http/answer";

/**
 * The answer to a mutating request: the resource itself, an Operation, or nothing. The specification does not say which, so
 * every caller handles all three.
 */
export type Mutation<T> =
  | { readonly kind: "resource"; readonly resource: T }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "done" };

/** Reads the answer to a create. It must have a body, because only the body says what was created. */
export function readCreated<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect): Mutation<T> {
  if (isOperation(answer.body)) return { kind: "operation", operation: readAs(operation, answer, dialect) };
  return { kind: "resource", resource: readAs(schema, answer, dialect) };
}

/** Reads the answer to an update. It may be empty, because the specification does not show its body. */
export function readUpdated<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect): Mutation<T> {
  return answer.body === undefined ? { kind: "done" } : readCreated(schema, answer, dialect);
}

/** Reads the answer to a delete. Any body except an Operation is of a deleted object. */
export function readDeleted(answer: Answer, dialect: Dialect): Mutation<never> {
  if (isOperation(answer.body)) return { kind: "operation", operation: readAs(operation, answer, dialect) };
  return { kind: "done" };
}

/** By its shape: no managed resource has either member. */
function isOperation(body: unknown): boolean {
  return typeof body === "object" && body !== null && "kind" in body && "resource_id" in body;
}
