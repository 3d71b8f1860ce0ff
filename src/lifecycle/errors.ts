import { CloudinfraError, ConfigurationError } from "../api/errors";
import { howToRaise } from "../api/errors/operation-error";
import { redacted } from "../text/redaction";
import type { Environment } from "../process/user-folders";
import { issuesUrl } from "../process/version";
import type { ResourceState } from "./resource-request";

/** If this variable is set, messages of unexpected errors include their stacks. */
const DEBUG_VARIABLE = "CLOUDINFRA_DEBUG";

/**
 * The API has the object, but it is not ready. The engine saves this state with the id, and the next run continues from
 * there.
 */
export class InitFailedError extends Error {
  constructor(
    readonly id: string,
    readonly state: ResourceState,
    cause: unknown,
  ) {
    super(messageOf(cause), { cause });
  }
}

/**
 * The change, or a part of it, may have been made, but the object does not show all of it. `cause` is the reason.
 * `addition` is added to the message. `isRefused`: the API refused the first request, and the object shows nothing of
 * it.
 */
export class IncompleteChangeError extends Error {
  constructor(
    cause: unknown,
    addition = "",
    readonly isRefused = false,
  ) {
    super(`${messageOf(cause)}${addition}`, { cause });
  }
}

/**
 * The API accepted a creation, a change or a deletion, but the object does not show it. Also: a command's own key
 * was made, but its creation has timed out or was cancelled.
 */
export class NotAppliedError extends CloudinfraError {
  readonly code = "NOT_APPLIED";
}

/** The object lacks a part that it was made with, so the part cannot be changed. */
export class MissingPartError extends CloudinfraError {
  readonly code = "MISSING_PART";
}

/** The response to a creation was lost, and nothing proves which object it made. Nothing was touched. */
export class LostCreationError extends CloudinfraError {
  readonly code = "LOST_CREATION";
}

/** Another process is creating the same resource of the same stack, or works on its object. */
export class CreationUnderWayError extends CloudinfraError {
  readonly code = "CREATION_UNDER_WAY";
}

/** An existing object cannot be taken over, because the journal cannot be written. */
export class UnwritableJournalError extends CloudinfraError {
  readonly code = "UNWRITABLE_JOURNAL";
}

export class ReadinessTimeoutError extends CloudinfraError {
  readonly code = "READINESS_TIMEOUT";

  /** `provider`: the name of the explicit provider, for the advice on the time limit. */
  constructor(message: string, provider: string | undefined, options?: ErrorOptions) {
    super(`${message} ${howToRaise(provider)}`, options);
  }
}

/** The API shows the object as broken. It will not become ready by itself. */
export class BrokenObjectError extends CloudinfraError {
  readonly code = "BROKEN_OBJECT";
}

/** An object that something else has to make does not exist, or several match. Nothing was changed. */
export class UndiscoveredObjectError extends CloudinfraError {
  readonly code = "UNDISCOVERED_OBJECT";
}

/** A `get` of an object that does not exist. */
export class MissingObjectError extends CloudinfraError {
  readonly code = "MISSING_OBJECT";
}

/** The API refuses a credential that it has just created. */
export class BrokenCredentialError extends CloudinfraError {
  readonly code = "BROKEN_CREDENTIAL";
}

/** The change would lock the provider out, because it signs in with this key. */
export class OwnCredentialError extends CloudinfraError {
  readonly code = "OWN_CREDENTIAL";
}

/** The API would refuse the proposed change. Nothing was changed. */
export class RefusedChangeError extends CloudinfraError {
  readonly code = "REFUSED_CHANGE";
}

/** The API or this provider refuses to manage this object. */
export class RefusedObjectError extends CloudinfraError {
  readonly code = "REFUSED_OBJECT";
}

/** The API answered a creation with another object. */
export class OtherObjectError extends RefusedObjectError {
  constructor(noun: string, id: string) {
    super(`The API answered the creation of this ${noun} with ${id}, which is a different ${noun}.`);
  }
}

/** A person has cancelled the run. Operations that the API has accepted continue. */
export class CancelledError extends CloudinfraError {
  readonly code = "CANCELLED";
}

/** Other objects need this one. Nothing was changed. */
export class ObjectInUseError extends CloudinfraError {
  readonly code = "OBJECT_IN_USE";
}

/** The text of an error as a person sees it. For an unexpected error, it says how to report it. */
export function shownText(error: unknown, environment: Environment = process.env): string {
  if (error instanceof CloudinfraError) return error.message;
  if (environment[DEBUG_VARIABLE]) return redacted(stacksOf(error).join("\nCaused by: "));
  return (
    `${messageOf(error)}\nThis is a fault of pulumi-cloudinfra itself. Run again with ${DEBUG_VARIABLE}=1, ` +
    `and report the output: ${issuesUrl}`
  );
}

/** The messages and stacks of an error and its causes. It shows no other properties, which may have secrets. */
function stacksOf(error: unknown): readonly string[] {
  if (!(error instanceof Error)) return [String(error)];
  return [error.stack ?? error.message, ...(error.cause === undefined ? [] : stacksOf(error.cause))];
}

export function messageOf(error: unknown): string {
  return redacted(error instanceof Error ? error.message : String(error));
}

/**
 * Throws ConfigurationError if the run file has a fault. Each provider of a program has its own process. Without this
 * shared file, one process could delete an object that another one keeps, and a budget would miss the costs that
 * another one knows.
 */
export function assertShared(fault: string | undefined): void {
  if (fault === undefined) return;
  throw new ConfigurationError(
    `The cache folder cannot be written (${fault}). The providers of this run share there which of them keeps which object. Correct ` +
      `that, or set XDG_CACHE_HOME (on Windows LOCALAPPDATA) to a writable folder, and run again.`,
  );
}
