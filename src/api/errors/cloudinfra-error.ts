import { redacted } from "../../text/redaction";

/**
 * Whether a failed request may have changed something at the API. `"none"`: it did not, because it was never sent, or
 * refused before any handler ran. `"unknown"`: it may have.
 */
export type Effect = "none" | "unknown";

/** The root of the error tree. Decide on the class or on `code`. The message is for people and may change. */
export abstract class CloudinfraError extends Error {
  /** Stable, and never a number, which callers would take for a gRPC status. */
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(redacted(message), options);
    this.name = new.target.name;
  }
}

/** A setting or an id cannot work. No request was sent. */
export class ConfigurationError extends CloudinfraError {
  readonly code = "CONFIGURATION_ERROR";
}

/** The API has no such advisory endpoint for this kind. An object without quotes then costs an unknown amount. */
export class NotOfferedError extends CloudinfraError {
  readonly code = "NOT_OFFERED";

  constructor(nouns: string, endpoint: string, options?: ErrorOptions) {
    super(`The API has no ${endpoint} endpoint for ${nouns}.`, options);
  }
}

/** A request, for error texts. `path` has no query. `purpose` is the caller's description. */
export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly purpose?: string | undefined;
  /** The name of the explicit provider that sends it, for advice on a setting. */
  readonly provider?: string | undefined;
}

/** `create FirewallRule "web" (POST /v1/…)`, or the bare method and path. */
export function describeRequest({ method, path, purpose }: RequestLine): string {
  return purpose === undefined ? `${method} ${path}` : `${purpose} (${method} ${path})`;
}

/** The end of a message about a request that did not leave this machine. */
export const NOTHING_SENT = " Nothing was sent.";

/** A request has no usable response. */
export abstract class RequestError extends CloudinfraError {
  readonly method: string;
  readonly path: string;
  /** Of all attempts together: `"unknown"` if one of them may have arrived. */
  effect: Effect;
  /** The part of the message that advises, if it is the same for every request of a run. */
  readonly sharedAdvice: string = "";

  protected constructor(message: string, line: RequestLine, effect: Effect, options?: ErrorOptions) {
    super(message, options);
    this.method = line.method;
    this.path = line.path;
    this.effect = effect;
  }

  /** Called if an earlier attempt may have had an effect. */
  noteUnknownEffect(): void {
    this.effect = "unknown";
    this.message = this.message.replace(NOTHING_SENT, "");
  }

  /** Removes the advice if it is among those that a run has already given. Otherwise adds it to them. */
  adviseOnce(given: Set<string>): void {
    if (this.sharedAdvice === "") return;
    if (given.has(this.sharedAdvice)) {
      const parts = this.message.split(this.sharedAdvice).map((part) => part.trim());
      this.message = parts.filter(Boolean).join(" ");
    }
    given.add(this.sharedAdvice);
  }
}
