import { shownText, type HalfMadeError } from "../lifecycle/errors";
import type { Props } from "../lifecycle/kind/kind";

/** A HalfMadeError in the form that the plugin takes: it hands id and properties on to the engine. */
export class HalfMadeResourceError extends Error {
  readonly id: string;
  readonly reasons: readonly string[];

  constructor(
    { id, message, cause }: HalfMadeError,
    readonly properties: Props,
  ) {
    super(message, { cause });
    this.id = id;
    this.reasons = [message];
    this.stack = message;
  }
}

/** What Pulumi's server of dynamic providers makes of a ShownError for its own log. */
const SHOWN = "The resource's own line says why a call has failed";

/**
 * An error as the engine shows it on the resource's row: only the message. It would print a stack, take an `id` for a
 * half-made resource, and a numeric `code` for a gRPC status. The server logs each error a second time, under the stack and before the
 * row: not these.
 */
export class ShownError extends Error {
  constructor(cause: unknown) {
    super(shownText(cause), { cause });
    this.stack = "";
    keepUnlogged();
  }

  override toString(): string {
    return SHOWN;
  }
}

let isKept = false;

/** From now on, the log of this process leaves a ShownError out. It is the server's, and has everybody's dynamic resources. */
function keepUnlogged(): void {
  if (isKept) return;
  isKept = true;
  const log = console.error;
  console.error = (...texts: readonly unknown[]): void => {
    if (texts[0] !== `${SHOWN}: `) log(...texts);
  };
}
