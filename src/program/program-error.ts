import { setTimeout } from "node:timers/promises";
import * as pulumi from "@pulumi/pulumi";

/** An error that ends a program with the message and without a stack trace. */
export function forProgram(cause: Error): pulumi.RunError {
  const error = new pulumi.RunError(cause.message, { cause });
  error.stack = cause.message; // if nothing awaits the promise, the stack trace is printed all the same
  return error;
}

/** After a program has ended, the SDK looks at files before it awaits the exports. That took up to 20 ms, and no turn count limits it. */
const AWAITED_AFTER_MS = 250;

/** Node warns three times of an output that is rejected before the SDK awaits it. A refusal without a request would be. */
export async function rejectOnceAwaited(error: unknown): Promise<never> {
  await setTimeout(AWAITED_AFTER_MS);
  throw error;
}
