import * as pulumi from "../engine/pulumi-sdk";

/** An error that ends a program with its message, without a stack trace. */
export function forProgram(cause: Error): pulumi.RunError {
  const error = new pulumi.RunError(cause.message, { cause });
  error.stack = cause.message; // the stack is printed if nothing awaits the promise
  return error;
}

/**
 * Rejects without Node's warning of an unhandled promise. The SDK awaits the promise only when the program has ended,
 * and then fails the program with the error.
 */
export function rejectBeforeAwaited(error: unknown): never {
  if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
  throw error;
}
