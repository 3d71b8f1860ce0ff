import { CloudinfraError } from "../api/errors";
import { withoutUndefined } from "./engine-values";

/**
 * The API has the object, but it is not ready. The engine keeps the id with these properties, and the next run goes on
 * from there.
 */
export class HalfMadeError extends Error {
  readonly reasons: readonly string[];
  readonly properties: Readonly<Record<string, unknown>>;

  constructor(
    readonly id: string,
    properties: Readonly<Record<string, unknown>>,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
    this.properties = withoutUndefined(properties); // the engine's wire format has no undefined
    this.reasons = [this.message];
    this.stack = this.message;
  }
}

/** A creation whose answer was lost, and whose object could not be told for sure. Nothing was touched. */
export class LostCreationError extends CloudinfraError {
  readonly code = "LOST_CREATION";
}

/** The API shows the object as broken: it will not become ready by itself. */
export class BrokenObjectError extends CloudinfraError {
  readonly code = "BROKEN_OBJECT";
}

/** A `get` of an object that is not there. */
export class MissingObjectError extends CloudinfraError {
  readonly code = "MISSING_OBJECT";
}

/** A change that would lock the provider out: it signs in with the key in question. */
export class OwnCredentialError extends CloudinfraError {
  readonly code = "OWN_CREDENTIAL";
}

/** The API, or this provider on its behalf, manages no such object. */
export class RefusedObjectError extends CloudinfraError {
  readonly code = "REFUSED_OBJECT";
}

/**
 * An error as the engine shows it on the resource's row: the message alone. A stack would be printed, an `id` would be
 * misread as a half-made resource, a numeric `code` as a gRPC status.
 */
export class ShownError extends Error {
  constructor(
    private readonly call: string,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
    this.stack = "the resource's own line says why";
  }

  /** The plugin prints this and the stack on a line of the stack, beside the message on the resource's row. */
  override toString(): string {
    return `${this.call} failed`;
  }
}

/** What an error says to people. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
