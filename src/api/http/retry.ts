import type { Effect } from "../errors/cloudinfra-error";
import type { RetryHints } from "./response-headers";

/** Attempts at one call, where each failed for whatever reason but the rate limit. */
export const MAX_ATTEMPTS = 5;
/** How often one call may meet the rate limit: each time the service has done nothing, and says so. */
export const MAX_RATE_LIMITED = 20;
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8_000;

/** How an attempt failed. */
export interface Failure extends RetryHints {
  readonly method: string;
  /** The request changes nothing, whatever its method says (a cost quote). */
  readonly idempotent: boolean;
  /** Of an error response; absent where there was no usable response. */
  readonly status?: number | undefined;
  /** Whether another attempt may fare better: a broken connection or a 503, but not a wrong certificate or a 404. */
  readonly transient: boolean;
  readonly effect: Effect;
}

/** What has been tried so far, this failure included, and what is left. */
export interface Attempts {
  readonly failed: number;
  readonly rateLimited: number;
  readonly remainingMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** The pause before the next attempt in milliseconds, or `undefined`: the failure stands. */
export function decideRetry(failure: Failure, attempts: Attempts): number | undefined {
  if (!mayRepeat(failure)) return undefined;
  if (attempts.failed >= MAX_ATTEMPTS || attempts.rateLimited > MAX_RATE_LIMITED) return undefined;
  const delayMs = pauseMs(failure.retryAfterMs, attempts);
  return delayMs < attempts.remainingMs ? delayMs : undefined;
}

/** 501 says that there is no such endpoint: asking again does not build it. */
export function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}

function mayRepeat({ method, idempotent, status, transient, effect, shouldRetry }: Failure): boolean {
  if (shouldRetry === false) return false;
  if (idempotent || method === "GET" || method === "PUT" || method === "DELETE")
    return transient || shouldRetry === true;
  // From here on a repetition could do a thing twice, so nothing may have been done yet.
  if (effect !== "none") return false;
  // With a status: a 429, or a refusal of which the service itself says that a repetition is right.
  return status === undefined ? transient : status === 429 || shouldRetry === true;
}

function pauseMs(retryAfterMs: number | undefined, { failed, rateLimited, random }: Attempts): number {
  const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.max(0, failed + rateLimited - 1));
  // Never earlier than asked for, and not all at the same moment.
  if (retryAfterMs !== undefined) return retryAfterMs + random * Math.min(backoffMs, 1_000);
  return backoffMs * (0.5 + 0.5 * random);
}
