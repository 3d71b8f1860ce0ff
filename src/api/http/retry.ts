import { ApiError, ConnectionError, InvalidResponseError, TimeoutError, type RequestError } from "../errors";
import type { ApiRequest } from "./request";

/** The most attempts of one call. Attempts that were refused for the rate do not count. */
export const MAX_ATTEMPTS = 5;
/** The most refusals for the rate of one call. Such a refusal says that the API has done nothing. */
export const MAX_RATE_LIMITED = 20;
const BACKOFF_BASE_MS = 250;
const BACKOFF_CAP_MS = 8_000;

export interface RetryHints {
  /** `x-should-retry`, if the API sends it. */
  readonly shouldRetry?: boolean | undefined;
  /** From `retry-after-ms` or `retry-after`, in seconds or as a date by the API's clock. */
  readonly retryAfterMs?: number | undefined;
}

export interface Failure {
  readonly error: RequestError;
  readonly hints: RetryHints;
}

export type Outcome = { readonly body: unknown; readonly skewMs: number } | Failure;

/** The attempts until now, including the failed one, and the remaining time. */
export interface Attempts {
  readonly failed: number;
  readonly rateLimited: number;
  readonly hasNewKey: boolean;
  readonly remainingMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/**
 * The properties of a call that decide whether it may be sent again. `retry: false`: only if the attempt did not count.
 */
export interface RetriedCall extends Pick<ApiRequest, "method" | "idempotent"> {
  readonly retry?: boolean | undefined;
}

/**
 * Decides on a retry: the pause in milliseconds before the call is sent again, or `undefined` if the failure is final.
 */
export function decideRetry(failure: Failure, attempts: Attempts, call: RetriedCall): number | undefined {
  // A 401 comes before every handler (specification section 5.2), so nothing was done, with any method.
  if (attempts.hasNewKey) return 0;
  if (call.retry === false && !isRateLimited(failure.error)) return undefined;
  if (!mayRepeat(failure, call)) return undefined;
  if (attempts.failed >= MAX_ATTEMPTS || attempts.rateLimited > MAX_RATE_LIMITED) return undefined;
  const delayMs = pauseMs(failure.hints.retryAfterMs, attempts);
  return delayMs < attempts.remainingMs ? delayMs : undefined;
}

function mayRepeat({ error, hints: { shouldRetry } }: Failure, { method, idempotent }: RetriedCall): boolean {
  if (shouldRetry === false) return false;
  if (idempotent || method === "GET" || method === "DELETE") return isTransient(error) || shouldRetry === true;
  // From here on, a retry could have its effect twice. So it is allowed only if nothing was done.
  if (error.effect !== "none") return false;
  // A refusal is final, unless it is for the rate or the API allows a retry.
  return error instanceof ApiError ? isRateLimited(error) || shouldRetry === true : isTransient(error);
}

function pauseMs(retryAfterMs: number | undefined, { failed, rateLimited, random }: Attempts): number {
  const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** Math.max(0, failed + rateLimited - 1));
  // Never earlier than the API asks, with jitter so that calls do not all come at the same moment.
  if (retryAfterMs !== undefined) return retryAfterMs + random * Math.min(backoffMs, 1_000);
  return backoffMs * (0.5 + 0.5 * random);
}

/** Whether the API refused a request only because of its rate limit. */
export function isRateLimited(error: unknown): boolean {
  return error instanceof ApiError && error.status === 429;
}

/**
 * True if the same request may succeed later. False for example after a wrong certificate or a 404. Whether it may be
 * sent again is for `decideRetry`.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.failure !== "tls";
  if (error instanceof InvalidResponseError) return error.defect === "cut-short";
  if (error instanceof ApiError) return isTransientStatus(error.status);
  return error instanceof TimeoutError;
}

/** 501 means that the endpoint does not exist. */
function isTransientStatus(status: number): boolean {
  return status === 408 || status === 429 || (status >= 500 && status !== 501);
}
