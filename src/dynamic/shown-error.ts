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

/**
 * An error as the engine shows it on the resource's row: only the message. It would print a stack, take an `id` for a
 * half-made resource, and a numeric `code` for a gRPC status.
 */
export class ShownError extends Error {
  constructor(
    private readonly call: string,
    cause: unknown,
  ) {
    super(shownText(cause), { cause });
    this.stack = "the resource's own line says why";
  }

  /** The plugin prints this and the stack on a line of the stack, beside the message on the resource's row. */
  override toString(): string {
    return `${this.call} failed`;
  }
}
