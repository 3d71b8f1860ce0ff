import { ApiError, ConnectionError, InvalidResponseError, TimeoutError, type RequestError } from "../errors";
import type { ApiRequest } from "./request";

/** Attempts at one call, if each failed for whatever reason but the rate limit. */
export const MAX_ATTEMPTS = 5;
/** How often one call may meet the rate limit: each time the service has done nothing, and says so. */
export const MAX_RATE_LIMITED = 20;
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8_000;

/** What the headers of a response say about when, and whether, to ask again. */
export interface RetryHints {
  /** `x-should-retry`, if the service sends it. */
  readonly shouldRetry?: boolean | undefined;
  /** From `retry-after-ms` or `retry-after`, in seconds or as a date by the service's clock. */
  readonly retryAfterMs?: number | undefined;
}

/** How an attempt failed, and what the response says about asking again. */
export interface Failure {
  readonly error: RequestError;
  readonly hints: RetryHints;
}

/** How an attempt ended. */
export type Outcome = { readonly body: unknown } | Failure;

/** What has been tried so far, this failure included, and what is left. */
export interface Attempts {
  readonly failed: number;
  readonly rateLimited: number;
  /** Whether the key was refused, and there is another one to sign in with. */
  readonly hasOtherKey: boolean;
  readonly remainingMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** What of a call decides whether it may be sent again. `retry: false`: only if the attempt was none. */
export interface RetriedCall extends Pick<ApiRequest, "method" | "idempotent"> {
  readonly retry?: boolean | undefined;
}

/** The one decision: the pause in milliseconds before the call is sent again, or `undefined`: the failure stands. */
export function decideRetry(failure: Failure, attempts: Attempts, call: RetriedCall): number | undefined {
  // A 401 precedes every handler (specification section 5.2): whatever the method, nothing was done.
  if (attempts.hasOtherKey) return 0;
  if (call.retry === false && !isRateLimited(failure.error)) return undefined;
  if (!mayRepeat(failure, call)) return undefined;
  if (attempts.failed >= MAX_ATTEMPTS || attempts.rateLimited > MAX_RATE_LIMITED) return undefined;
  const delayMs = pauseMs(failure.hints.retryAfterMs, attempts);
  return delayMs < attempts.remainingMs ? delayMs : undefined;
}

function mayRepeat({ error, hints: { shouldRetry } }: Failure, { method, idempotent }: RetriedCall): boolean {
  if (shouldRetry === false) return false;
  if (idempotent || method === "GET" || method === "DELETE") return isTransient(error) || shouldRetry === true;
  // From here on a repetition could do a thing twice, so nothing may have been done yet.
  if (error.effect !== "none") return false;
  // An answer that refuses is the end, but for the rate, or if the service itself says that a repetition is right.
  return error instanceof ApiError ? isRateLimited(error) || shouldRetry === true : isTransient(error);
}

function pauseMs(retryAfterMs: number | undefined, { failed, rateLimited, random }: Attempts): number {
  const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.max(0, failed + rateLimited - 1));
  // Never earlier than asked for, and not all at the same moment.
  if (retryAfterMs !== undefined) return retryAfterMs + random * Math.min(backoffMs, 1_000);
  return backoffMs * (0.5 + 0.5 * random);
}

/** Whether the service has refused a request for the rate alone. */
export function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/** Whether asking the same again may fare better: not after a wrong certificate or a 404. Whether it may be asked again is `decideRetry`'s to say. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.failure !== "tls";
  if (error instanceof InvalidResponseError) return error.defect === "cut-short";
  if (error instanceof ApiError) return isTransientStatus(error.status);
  return error instanceof TimeoutError;
}

/** 501 says that there is no such endpoint: asking again does not build it. */
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}
