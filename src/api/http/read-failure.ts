import { apiErrorFor, type ApiError } from "../errors/api-error";
import type { RequestLine } from "../errors/cloudinfra-error";
import { quoted, readErrorBody } from "../errors/error-body";
import type { HttpResponse } from "./exchange";
import { NotTheApiError } from "../errors/not-the-api-error";
import { header, retryHintsOf, type RetryHints } from "./response-headers";

/** What an error needs to know beside the response. */
export interface FailureContext {
  /** Takes the credentials out of a text. */
  readonly scrub: (text: string) => string;
  readonly credentialSource: string;
  readonly attempts: number;
  readonly serverNow: number;
  readonly baseUrl: string;
}

/** The error for a response outside 2xx, and what its headers say about asking again. */
export function readFailure(
  line: RequestLine,
  { status, headers, text }: HttpResponse,
  { scrub, credentialSource, attempts, serverNow, baseUrl }: FailureContext,
): { readonly error: ApiError | NotTheApiError; readonly hints: RetryHints } {
  const hints = retryHintsOf(headers, serverNow);
  const said = readErrorBody(text, scrub);
  if (status === 404 && !said.isWhole) {
    const finding = `what came is ${kindOf(text, headers)}, not the API's own error`;
    // Whoever answered, it cannot be told what it did with the request before.
    return { error: new NotTheApiError({ line, effect: "unknown", baseUrl, finding }), hints };
  }
  const requestId = header(headers, "x-request-id");
  const error = apiErrorFor({
    line,
    status,
    type: said.type,
    message: said.message ?? withoutMessage(status, headers),
    requestId: said.requestId ?? (requestId === undefined ? undefined : quoted(scrub(requestId))),
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
  return isHtml(headers) ? "an HTML page, not the API's own error" : undefined;
}

/** What an answer is that is not the API's. Its text is not shown: it is somebody else's. */
function kindOf(text: string, headers: HttpResponse["headers"]): string {
  if (text.trim() === "") return "empty";
  if (isHtml(headers)) return "an HTML page";
  return /^\s*[[{"]/.test(text) ? "JSON of another form" : "a text";
}

function isHtml(headers: HttpResponse["headers"]): boolean {
  return (header(headers, "content-type") ?? "").includes("html");
}
