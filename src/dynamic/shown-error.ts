import { shownText, type HalfMadeError } from "../lifecycle/errors";
import type { Props } from "../lifecycle/kind/kind";

/** A HalfMadeError in the form that the plugin expects: the plugin passes id and properties to the engine. */
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
 * An error with the message only, for the resource's row. The engine would print a stack, take an `id` for a half-made resource, and
 * take a numeric `code` for a gRPC status.
 */
export class ShownError extends Error {
  constructor(
    private readonly call: string,
    cause: unknown,
  ) {
    super(shownText(cause), { cause });
    this.stack = "the resource's own line says why";
  }

  /** The plugin prints this under the stack, in addition to the message on the resource's row. */
  override toString(): string {
    return `${this.call} failed`;
  }
}
