import type { HttpResponse } from "../../../api/http/response";
import { isRecord } from "../../../definition/compare-values";
import { parseJson } from "../../../text/json";
import { printable } from "../../../text/terminal-text";
import { CommandFailure } from "../../command-failure";

const LONGEST_REASON = 200;
const LONGEST_WAIT_MS = 30_000;

export interface CodeHostWords {
  /** `GitHub`. */
  readonly name: string;
  readonly token: string;
  /** The advice after an answer with this status. `moved`: after a 3xx. */
  readonly advice: Readonly<Record<401 | 403 | 404 | "moved", string>>;
}

/** A failed request to a code host: the operation, the answer and the advice. */
export class CodeHostError extends CommandFailure {
  /** Undefined without an answer. */
  readonly status: number | undefined;
  readonly isRateLimit: boolean;
  /** The pause before the next attempt. Undefined if another attempt is useless. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    about: Partial<Pick<CodeHostError, "status" | "isRateLimit" | "retryAfterMs">>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = about.status;
    this.isRateLimit = about.isRateLimit ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** The error for an unexpected answer. `operation` is a verb phrase for messages: `read the comments on …`. */
export function codeHostError(
  operation: string,
  { status, headers, text }: HttpResponse,
  { name, token, advice: byStatus }: CodeHostWords,
): CodeHostError {
  const isRateLimit =
    status === 429 || (status === 403 && (headers["x-ratelimit-remaining"] === "0" || "retry-after" in headers));
  const reason = messageIn(text).replaceAll(token, "[token]");
  const failure = `Could not ${operation}: ${name} answered ${status}${reason === "" ? "" : ` (${reason})`}.`;
  const other = status >= 300 && status < 400 ? byStatus.moved : (byStatus as Partial<Record<number, string>>)[status];
  const advice = isRateLimit ? rateLimitAdvice(headers) : status >= 500 ? "Try again." : (other ?? "");
  return new CodeHostError(`${failure} ${advice}`.trimEnd(), {
    status,
    isRateLimit,
    retryAfterMs: status >= 500 ? 0 : isRateLimit ? waitOf(headers) : undefined,
  });
}

function waitOf(headers: HttpResponse["headers"]): number | undefined {
  const afterMs = Number(headers["retry-after"]) * 1_000;
  return afterMs >= 0 && afterMs <= LONGEST_WAIT_MS ? afterMs : undefined;
}

function rateLimitAdvice(headers: HttpResponse["headers"]): string {
  const after = Number(headers["retry-after"]);
  if (after > 0) return `Its rate limit is used up: try again in ${after} s.`;
  const reset = Number(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]);
  return reset > 0
    ? `Its rate limit is used up until ${new Date(reset * 1_000).toISOString()}.`
    : "Its rate limit is used up: try again later.";
}

/** The code host's own message: `message`, which may be an object at GitLab, or `error`. */
function messageIn(text: string): string {
  const answer = parseJson(text);
  const reason = isRecord(answer) ? (answer["message"] ?? answer["error"]) : undefined;
  if (reason === undefined || reason === null) return "";
  return printable(typeof reason === "string" ? reason : JSON.stringify(reason)).slice(0, LONGEST_REASON);
}
