import { describeRequest, RequestError, type Effect, type RequestLine } from "./cloudinfra-error";

/**
 * The fault of an answer: not JSON, JSON that is cut off, too large, empty, an endless list, a missing or mistyped member, a
 * name of the other dialect, or an outdated version of an object.
 */
export type ResponseDefect =
  "not-json" | "cut-short" | "too-large" | "empty" | "endless" | "schema" | "other-dialect" | "outdated";

/** A success status with an unusable body. The request was probably carried out. */
export class InvalidResponseError extends RequestError {
  readonly code = "INVALID_RESPONSE";
  readonly defect: ResponseDefect;

  constructor(line: RequestLine, defect: ResponseDefect, explanation: string) {
    super(`${describeRequest(line)}: ${explanation}`, line, "unknown");
    this.defect = defect;
  }
}

interface ForeignResponse {
  readonly line: RequestLine;
  readonly effect: Effect;
  /** The base URL in use, as messages name it. */
  readonly baseUrl: string;
  /** The reason, as a clause for the message: it describes the answer, or the result of asking for the regions. */
  readonly evidence: string;
}

/**
 * A 404 that did not come from the API, but from an ingress, a proxy or another service, often because the base URL is wrong. The
 * object may exist, so no code may treat it as deleted.
 */
export class NotTheApiError extends RequestError {
  readonly code = "NOT_THE_API";
  readonly status = 404;

  constructor({ line, effect, baseUrl, evidence }: ForeignResponse, options?: ErrorOptions) {
    super(
      `${describeRequest(line)} failed: 404, but not from the API: ${evidence}.\n` +
        `${adviceOn(baseUrl)} "cloudinfra doctor" shows where the base URL is set, and tries it. Then run again.`,
      line,
      effect,
      options,
    );
  }
}

/** Each request adds /v1, so a base URL that already ends with it is probably wrong. */
function adviceOn(baseUrl: string): string {
  const shorter = baseUrl.replace(/\/v1\/?$/, "");
  if (shorter !== baseUrl)
    return `The base URL is ${baseUrl}. Each request adds /v1, so the base URL should probably not end with it: try ${shorter}.`;
  return (
    `Check the base URL, ${baseUrl} (the part before /v1), and the servers in front of the API at ` +
    `${new URL(baseUrl).host}: an ingress or a proxy may answer instead of the API.`
  );
}
