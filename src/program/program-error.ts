import * as pulumi from "@pulumi/pulumi";

/** An error that ends a program with the message and without a stack trace. */
export function forProgram(cause: Error): pulumi.RunError {
  const error = new pulumi.RunError(cause.message, { cause });
  error.stack = cause.message; // if nothing awaits the promise, the stack trace is printed all the same
  return error;
}

/**
 * A refusal without a request rejects before the SDK awaits it, which it does when the program has ended. Node then warns of each promise,
 * unless somebody listens. The SDK fails the program with the error in any case.
 */
export function rejectBeforeAwaited(error: unknown): never {
  if (process.listenerCount("rejectionHandled") === 0) process.on("rejectionHandled", () => undefined);
  throw error;
}
