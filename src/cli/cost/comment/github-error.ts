import type { HttpResponse } from "../../../api/exchange";
import { printable } from "../../../terminal-text";
import { CommandFailure } from "../../command-failure";

const LONGEST_REASON = 200;

/** What GitHub refused, in sentences: what was tried, what came back, what to do. */
export class GithubError extends CommandFailure {
  constructor(
    message: string,
    readonly status: number,
    /** Whether it was refused for the number of requests, and not for what it asked. */
    readonly isRateLimit: boolean,
  ) {
    super(message);
  }
}

/** What an answer means that is none of the expected ones. `what` continues "could not". */
export function githubError(what: string, { status, headers, text }: HttpResponse, token: string): GithubError {
  const isRateLimit =
    status === 429 || (status === 403 && (headers["x-ratelimit-remaining"] === "0" || "retry-after" in headers));
  const reason = reasonOf(text).replaceAll(token, "[token]");
  const said = `Could not ${what}: GitHub answered ${status}${reason === "" ? "" : ` (${reason})`}.`;
  const advice = isRateLimit ? rateLimitAdvice(headers) : adviceOf(status);
  return new GithubError(`${said} ${advice}`.trimEnd(), status, isRateLimit);
}

function adviceOf(status: number): string {
  switch (status) {
    case 401:
      return "The token in GITHUB_TOKEN is not valid, or is no longer.";
    case 403:
      return 'The token lacks a permission: a workflow needs "pull-requests: write", and for a pull request from a fork it is never given.';
    case 404:
      return "Either there is no such repository or pull request, or the token may not see it.";
    default:
      if (status >= 300 && status < 400) return "The repository has moved: give its present name with --repo.";
      return status >= 500 ? "Try again." : "";
  }
}

function rateLimitAdvice(headers: HttpResponse["headers"]): string {
  const after = Number(headers["retry-after"]);
  if (after > 0) return `Its rate limit is used up: try again in ${after} s.`;
  const reset = Number(headers["x-ratelimit-reset"]);
  return reset > 0
    ? `Its rate limit is used up until ${new Date(reset * 1_000).toISOString()}.`
    : "Its rate limit is used up: try again later.";
}

/** GitHub's own words for it. */
function reasonOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    return typeof message === "string" ? printable(message).slice(0, LONGEST_REASON) : "";
  } catch {
    return "";
  }
}
