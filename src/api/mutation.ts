import type { Operation } from "./operation";

/**
 * What a mutating request was answered with: the resource itself, an Operation to wait for, or nothing more to say.
 * Which of them a service gives is not specified, so every caller handles all three.
 */
export type Mutation<T> =
  | { readonly kind: "resource"; readonly resource: T }
  | { readonly kind: "operation"; readonly operation: Operation }
  | { readonly kind: "done" };
