import { baseUrlName, settingName, waysToSet } from "../../engine/settings-list";
import { dialects, foreignNameIn, foreignNameOf, fromDialect, type Dialect, type ForeignName } from "../dialect";
import { type ApiError, apiErrorFor, InvalidResponseError, NotTheApiError, type RequestLine } from "../errors";
import { sanitized, readErrorBody } from "../errors/error-response";
import type { Outcome, RetryHints } from "./retry";
import { z } from "zod";

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

type Headers = HttpResponse["headers"];

interface ResponseContext {
  readonly scrub: (text: string) => string;
  readonly credentialSource: string;
  readonly credentialRemedy: string;
  readonly attempts: number;
  /** This machine's time in epoch milliseconds. */
  readonly now: number;
  /** Replaces a missing `Date` header. */
  readonly apiNow: number;
  readonly baseUrl: string;
  readonly dialect: Dialect;
}

/**
 * Returns the body of a 2xx, or an error for any other status. Throws InvalidResponseError for a 2xx that is not JSON.
 */
export function readResponse(line: RequestLine, response: HttpResponse, context: ResponseContext): Outcome {
  const hints = retryHintsOf(response.headers, context.apiNow);
  if (response.status >= 200 && response.status < 300)
    return { body: readJson(line, response), skewMs: (dateOf(response.headers) ?? Infinity) - context.now };
  return { error: errorOf(line, response, context, hints), hints };
}

/** The JSON of a success response. Throws InvalidResponseError without the body, because it may contain a secret. */
function readJson(line: RequestLine, { status, headers, text }: HttpResponse): unknown {
  if (status === 204 || text.trim() === "") return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const contentType = (header(headers, "content-type") ?? "").split(";")[0]?.trim() ?? "";
    if (/^application\/(.+\+)?json$/i.test(contentType)) {
      throw new InvalidResponseError(
        line,
        "cut-short",
        `the answer (status ${status}) ${faultOf(text, header(headers, "content-encoding"))}.`,
      );
    }
    throw new InvalidResponseError(
      line,
      "not-json",
      `the answer (status ${status}) is ${contentType === "" ? "without a content type" : contentType} instead of JSON. ` +
        `Check the ${baseUrlName(line.provider)}: another server may answer there, or a proxy in front of the API.`,
    );
  }
}

/** Why a text is no JSON: its encoding, if that shows. */
function faultOf(text: string, contentEncoding = ""): string {
  const [named] = /^(x-)?gzip|^deflate|^br|^zstd|^compress/i.exec(contentEncoding) ?? [];
  const encoding = named ?? (text.startsWith("\u001f") ? "gzip" : undefined);
  if (encoding !== undefined) return `is compressed (${encoding}), which the provider did not ask for. ${A_PROXY}`;
  if (/^\ufeff|\0/.test(text)) return `is in UTF-16, or begins with a byte order mark. ${A_PROXY}`;
  return "is cut short, or is not valid JSON";
}

const A_PROXY =
  "A proxy in front of the API may have changed it: it must pass answers on in UTF-8, without compression";

function errorOf(
  line: RequestLine,
  { status, headers, text }: HttpResponse,
  { scrub, credentialSource, credentialRemedy, attempts, baseUrl, dialect }: ResponseContext,
  { retryAfterMs }: RetryHints,
): ApiError | NotTheApiError {
  const error = readErrorBody(text, scrub);
  if (status === 404 && !error.isComplete) {
    const evidence = `the answer is ${formOf(text, headers)}, not the API's own error`;
    // An unknown server answered. It may already have passed the request on to the API.
    return new NotTheApiError({ line, effect: "unknown", baseUrl, evidence });
  }
  const requestId = header(headers, "x-request-id");
  return apiErrorFor({
    line,
    status,
    isComplete: error.isComplete,
    type: error.type,
    message: error.message ?? withoutMessage(status, headers),
    requestId: error.requestId ?? (requestId === undefined ? undefined : sanitized(scrub(requestId))),
    parameters: Object.fromEntries(
      Object.entries(error.parameters).map(([name, reason]) => [
        name,
        reason + dialectHint(dialect, name, line.provider),
      ]),
    ),
    credentialSource,
    credentialRemedy,
    attempts,
    retryAfterMs,
  });
}

/** If the dialects have different names for a member, the API may refuse it. */
function dialectHint(own: Dialect, member: string, provider: string | undefined): string {
  const foreign = foreignNameOf(own, member);
  if (!foreign) return "";
  const { dialect, theirs, ours } = foreign;
  const setting = settingName("dialect", provider);
  return ` (the dialect "${dialect}" calls it "${theirs}", and "${own}" "${ours}": check ${setting}, which is "${own}")`;
}

/**
 * Replaces the missing message of an error: the target of a redirect, or the remark that the response is an HTML page.
 */
function withoutMessage(status: number, headers: Headers): string | undefined {
  const location = header(headers, "location");
  if (status >= 300 && status < 400 && location !== undefined) {
    return URL.canParse(location) ? `it points to the host ${new URL(location).host}` : "it points to another path";
  }
  return isHtml(headers) ? "an HTML page, not the API's own error" : undefined;
}

/** The kind of a response of another server. Its text is not shown. */
function formOf(text: string, headers: Headers): string {
  if (text.trim() === "") return "empty";
  if (isHtml(headers)) return "an HTML page";
  return /^\s*[[{"]/.test(text) ? "JSON of another form" : "a text";
}

function isHtml(headers: Headers): boolean {
  return (header(headers, "content-type") ?? "").includes("html");
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The API's time in epoch milliseconds. A cache says how old the response is: its `Age` is in seconds. */
function dateOf(headers: Headers): number | undefined {
  const epochMs = Date.parse(header(headers, "date") ?? "") + 1000 * (numberOf(header(headers, "age")) ?? 0);
  return Number.isNaN(new Date(epochMs).getTime()) ? undefined : epochMs;
}

/** `apiNow` replaces a missing `Date` header. */
export function retryHintsOf(headers: Headers, apiNow: number): RetryHints {
  const shouldRetry = header(headers, "x-should-retry");
  return {
    shouldRetry: shouldRetry === "true" ? true : shouldRetry === "false" ? false : undefined,
    retryAfterMs: retryAfterMsOf(headers, dateOf(headers) ?? apiNow),
  };
}

function retryAfterMsOf(headers: Headers, now: number): number | undefined {
  const inMs = numberOf(header(headers, "retry-after-ms"));
  if (inMs !== undefined) return Math.max(0, inMs);
  const text = header(headers, "retry-after");
  const inSeconds = numberOf(text);
  if (inSeconds !== undefined) return Math.max(0, inSeconds * 1000);
  const at = Date.parse(text ?? "");
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

/** A body and its request. `undefined`: the response was empty. */
export interface ApiResponse {
  readonly line: RequestLine;
  readonly body: unknown;
  /** When the request was sent, in epoch milliseconds. */
  readonly sentAt: number;
  /**
   * By how much the API's clock is ahead of this machine's, in milliseconds. Infinity if the response does not say it.
   */
  readonly skewMs: number;
}

/**
 * Parses the body with the schema. Throws an InvalidResponseError that names every missing or mistyped member. `at`:
 * the path of the body in the response.
 */
export function parseBody<T>(
  schema: z.ZodType<T>,
  { line, body: received }: Pick<ApiResponse, "line" | "body">,
  dialect: Dialect,
  at: readonly PropertyKey[],
): T {
  if (received === undefined) throw new InvalidResponseError(line, "empty", "the answer has no body.");
  const foreign = foreignNameIn(dialect, received);
  if (foreign) throw new InvalidResponseError(line, "other-dialect", otherDialect(dialect, foreign, line.provider));
  const body = fromDialect(dialect, received);
  const result = schema.safeParse(body, { reportInput: true });
  if (result.success) return result.data;
  const defects = result.error.issues.slice(0, MAX_DEFECTS).map((issue) => `  - ${describeIssue(issue, dialect, at)}`);
  throw new InvalidResponseError(
    line,
    "schema",
    ["the answer does not have the expected form:", ...defects].join("\n"),
  );
}

function otherDialect(own: Dialect, { dialect, theirs, ours }: ForeignName, provider: string | undefined): string {
  return (
    `the API speaks the dialect "${dialect}": it says "${theirs}" where "${own}" has "${ours}". ` +
    `Set the dialect with ${waysToSet("dialect", dialect, provider)}.`
  );
}

const MAX_DEFECTS = 5;

function describeIssue(issue: z.core.$ZodIssue, dialect: Dialect, at: readonly PropertyKey[]): string {
  const found = typeName(issue.input);
  const expected = issue.code === "invalid_type" ? issue.expected : issue.message;
  const wireNames = dialects[dialect].wireNames;
  const wirePath = issue.path.map((segment, depth) =>
    depth === 0 ? (wireNames[String(segment)] ?? segment) : segment,
  );
  const path = z.core.toDotPath([...at, ...wirePath]);
  return `${path === "" ? "the body" : path} is ${found === "undefined" ? "missing" : found}, expected: ${expected}`;
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
