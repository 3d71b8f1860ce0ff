import type { HttpResponse } from "../../../api/http/exchange";
import { printable } from "../../../terminal-text";
import { CommandFailure } from "../../command-failure";

const LONGEST_REASON = 200;
/** What a forge asks to be waited longer is not waited for. */
const LONGEST_WAIT_MS = 30_000;

/** How a forge is spoken of, and what its refusals mean. */
export interface ForgeWords {
  /** `GitHub`. */
  readonly name: string;
  /** What to do about a status; empty if there is nothing to say. */
  readonly adviceOf: (status: number) => string;
}

/** What a forge refused, or did not answer, in sentences: what was tried, what came back, what to do. */
export class ForgeError extends CommandFailure {
  /** The answer's status; undefined if there was none. */
  readonly status: number | undefined;
  /** Whether it was refused for the number of requests, and not for what it asked. */
  readonly isRateLimit: boolean;
  /** How long to wait before another try; undefined if another try leads nowhere. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    about: Partial<Pick<ForgeError, "status" | "isRateLimit" | "retryAfterMs">>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = about.status;
    this.isRateLimit = about.isRateLimit ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** What an answer means that is none of the expected ones. `what` continues "could not". */
export function forgeError(
  what: string,
  { status, headers, text }: HttpResponse,
  token: string,
  { name, adviceOf }: ForgeWords,
): ForgeError {
  const isRateLimit =
    status === 429 || (status === 403 && (headers["x-ratelimit-remaining"] === "0" || "retry-after" in headers));
  const reason = reasonOf(text).replaceAll(token, "[token]");
  const said = `Could not ${what}: ${name} answered ${status}${reason === "" ? "" : ` (${reason})`}.`;
  const advice = isRateLimit ? rateLimitAdvice(headers) : status >= 500 ? "Try again." : adviceOf(status);
  return new ForgeError(`${said} ${advice}`.trimEnd(), {
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

/** The forge's own words for it: GitHub's `message`, which at GitLab may be an object, or `error`. */
function reasonOf(text: string): string {
  try {
    const { message, error } = JSON.parse(text) as { readonly message?: unknown; readonly error?: unknown };
    const reason = message ?? error;
    if (reason === undefined) return "";
    return printable(typeof reason === "string" ? reason : JSON.stringify(reason)).slice(0, LONGEST_REASON);
  } catch {
    return "";
  }
}
