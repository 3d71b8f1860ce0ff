import { describeRequest, RequestError, type Effect, type RequestLine } from "./cloudinfra-error";

/** What of an answer tells that it is no statement of the API about an object. */
export interface ForeignAnswer {
  readonly line: RequestLine;
  readonly effect: Effect;
  /** The base URL in use, as messages name it. */
  readonly baseUrl: string;
  /** What came, or came back when the API was asked for its regions; a sentence without its end. */
  readonly finding: string;
}

/**
 * 404, and it is not the API that says so of that object: an ingress, a proxy or another service has answered, or the base URL
 * is wrong. The object may be there: nobody may conclude that it is gone.
 */
export class NotTheApiError extends RequestError {
  readonly code = "NOT_THE_API";
  readonly status = 404;

  constructor({ line, effect, baseUrl, finding }: ForeignAnswer, options?: ErrorOptions) {
    super(
      `${describeRequest(line)} was answered 404, but that does not mean that the object is gone: ${finding}.\n` +
        `${adviceOn(baseUrl)} "cloudinfra doctor" shows where the base URL is set, and tries it. Then run again.`,
      line,
      effect,
      options,
    );
  }
}

/** Each request adds /v1 itself: if the base URL ends with it already, that is the likely mistake. */
function adviceOn(baseUrl: string): string {
  const shorter = baseUrl.replace(/\/v1\/?$/, "");
  if (shorter !== baseUrl)
    return `The base URL is ${baseUrl}. The /v1 at its end is probably too much, because each request adds it: try ${shorter}.`;
  return (
    `Check the base URL, ${baseUrl} (the part before /v1), and the servers in front of the API at ` +
    `${new URL(baseUrl).host}: an ingress or a proxy may answer instead of the API.`
  );
}
