import type { z } from "zod";
import type { Dialect } from "../dialect";
import { operation, type Operation } from "./operation";
import { readAs, type Answer } from "../http/answer";

/**
 * What a mutating request was answered with: the resource itself, an Operation to wait for, or nothing more to say.
 * Which of them a service gives is not specified, so every caller handles all three.
 */
export type Mutation<T> =
  | { readonly kind: "resource"; readonly resource: T }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "done" };

/** Reads the answer to a create: without a body nobody would know what was created. */
export function readCreated<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect): Mutation<T> {
  if (isOperation(answer.body)) return { kind: "operation", operation: readAs(operation, answer, dialect) };
  return { kind: "resource", resource: readAs(schema, answer, dialect) };
}

/** Reads the answer to an update, which may be empty: the specification does not show its body. */
export function readUpdated<T>(schema: z.ZodType<T>, answer: Answer, dialect: Dialect): Mutation<T> {
  return answer.body === undefined ? { kind: "done" } : readCreated(schema, answer, dialect);
}

/** Reads the answer to a delete. Any body but an Operation is of something that is gone. */
export function readDeleted(answer: Answer, dialect: Dialect): Mutation<never> {
  if (isOperation(answer.body)) return { kind: "operation", operation: readAs(operation, answer, dialect) };
  return { kind: "done" };
}

/** By its shape: no resource that is managed here has either member. */
function isOperation(body: unknown): boolean {
  return typeof body === "object" && body !== null && "kind" in body && "resource_id" in body;
}
