import * as pulumi from "@pulumi/pulumi";
import { CloudinfraError } from "../api/cloudinfra-error";
import type { Api, CallOptions } from "../api/client";
import type * as Session from "./session";

/** What a function has at hand. */
interface Tools {
  readonly api: Api;
  /** Names the function in error texts. */
  readonly call: CallOptions;
  /** The configured value that stands in for an argument. Throws ConfigurationError where there is none. */
  readonly configured: (key: "projectId" | "region") => string;
}

/**
 * The one way from a function to the API; `what` is the function in error texts. It runs in the program's process, with
 * the stack's configuration, in preview and update alike. Rejects with pulumi.RunError, which ends a program with the
 * message and without a stack; its `cause` is the client's own error.
 */
export async function callApi<Result>(what: string, task: (tools: Tools) => Promise<Result>): Promise<Result> {
  try {
    const { sessionFor, configuredIn } = sessionModule();
    const config = new pulumi.Config("cloudinfra");
    const session = sessionFor(
      (key) => config.get(key),
      (message) => void pulumi.log.warn(message),
    );
    return await task({ api: session.api, call: { what }, configured: (key) => configuredIn(session, key, what) });
  } catch (error) {
    throw error instanceof CloudinfraError ? forProgram(error) : error;
  }
}

function forProgram(cause: CloudinfraError): pulumi.RunError {
  const error = new pulumi.RunError(cause.message, { cause });
  error.stack = cause.message; // where nothing awaits the promise, the stack is printed all the same
  return error;
}

/** A function's twin: it waits for its arguments, and its result is unknown in a preview while any of them is. */
export function outputOf<Args, Result>(
  args: Args,
  call: (args: pulumi.Unwrap<Args>) => Promise<Result>,
): pulumi.Output<Result> {
  return pulumi.output(args).apply(call);
}

/** All items of a list, as the program sees them. */
export async function collect<Wire, Item>(list: AsyncIterable<Wire>, fromWire: (wire: Wire) => Item): Promise<Item[]> {
  const items: Item[] = [];
  for await (const wire of list) items.push(fromWire(wire));
  return items;
}

/**
 * Loaded at the first call and not with the package: most programs ask nothing, and would load an HTTP client and a schema
 * library. By `require`, since CommonJS that says `import()` asks the ES module loader, which wants file extensions.
 */
function sessionModule(): typeof Session {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see above
  return require("./session") as typeof Session;
}
