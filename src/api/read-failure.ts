import { apiErrorFor, type ApiError } from "./api-error";
import type { RequestLine } from "./cloudinfra-error";
import { readErrorBody } from "./error-body";
import type { HttpResponse } from "./exchange";
import { header, retryHintsOf, type RetryHints } from "./response-headers";

/** What an error needs to know beside the response. */
export interface FailureContext {
  /** Takes the credentials out of a text. */
  readonly scrub: (text: string) => string;
  readonly credentialSource: string;
  readonly attempts: number;
  readonly serverNow: number;
}

/** The error for a response outside 2xx, and what its headers say about asking again. */
export function readFailure(
  line: RequestLine,
  { status, headers, text }: HttpResponse,
  { scrub, credentialSource, attempts, serverNow }: FailureContext,
): { readonly error: ApiError; readonly hints: RetryHints } {
  const hints = retryHintsOf(headers, serverNow);
  const said = readErrorBody(text, scrub);
  const requestId = header(headers, "x-request-id");
  const error = apiErrorFor({
    line,
    status,
    type: said.type,
    message: said.message ?? withoutMessage(status, headers),
    requestId: said.requestId ?? (requestId === undefined ? undefined : scrub(requestId)),
    parameters: said.parameters,
    credentialSource,
    attempts,
    retryAfterMs: hints.retryAfterMs,
  });
  return { error, hints };
}

/** What can be said of an answer that is not the API's own error body. */
function withoutMessage(status: number, headers: HttpResponse["headers"]): string | undefined {
  const location = header(headers, "location");
  if (status >= 300 && status < 400 && location !== undefined) {
    return URL.canParse(location) ? `it points to the host ${new URL(location).host}` : "it points to another path";
  }
  return (header(headers, "content-type") ?? "").includes("html") ? "an HTML page, not the API's own error" : undefined;
}
