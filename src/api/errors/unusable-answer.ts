import { describeRequest, RequestError, type Effect, type RequestLine } from "./cloudinfra-error";

/**
 * The fault of an answer: not JSON, JSON that is cut off, too large, empty, an endless list, a missing or mistyped member, or
 * a name of the other dialect.
 */
export type ResponseDefect = "not-json" | "cut-short" | "too-large" | "empty" | "endless" | "schema" | "other-dialect";

/** A success status with an unusable body. The request was probably carried out. */
export class InvalidResponseError extends RequestError {
  readonly code = "INVALID_RESPONSE";
  readonly defect: ResponseDefect;

  constructor(line: RequestLine, defect: ResponseDefect, explanation: string) {
    super(`${describeRequest(line)}: ${explanation}`, line, "unknown");
    this.defect = defect;
  }
}

export interface ForeignAnswer {
  readonly line: RequestLine;
  readonly effect: Effect;
  /** The base URL in use, as messages name it. */
  readonly baseUrl: string;
  /** The answer, or the result of asking for the regions, as a sentence without its end. */
  readonly finding: string;
}

/**
 * A 404 that is not from the API: from an ingress, a proxy or another service, or because the base URL is wrong. The object
 * may exist, and nobody may conclude that it is gone.
 */
export class NotTheApiError extends RequestError {
  readonly code = "NOT_THE_API";
  readonly status = 404;

  constructor({ line, effect, baseUrl, finding }: ForeignAnswer, options?: ErrorOptions) {
    super(
      `${describeRequest(line)} was answered 404, but not by the API: ${finding}.\n` +
        `${adviceOn(baseUrl)} "cloudinfra doctor" shows where the base URL is set, and tries it. Then run again.`,
      line,
      effect,
      options,
    );
  }
}

/** Each request adds /v1. If the base URL ends with it already, that is the likely mistake. */
function adviceOn(baseUrl: string): string {
  const shorter = baseUrl.replace(/\/v1\/?$/, "");
  if (shorter !== baseUrl)
    return `The base URL is ${baseUrl}. The /v1 at its end is probably too much, because each request adds it: try ${shorter}.`;
  return (
    `Check the base URL, ${baseUrl} (the part before /v1), and the servers in front of the API at ` +
    `${new URL(baseUrl).host}: an ingress or a proxy may answer instead of the API.`
  );
}
