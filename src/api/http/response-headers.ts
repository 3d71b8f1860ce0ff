import type { HttpResponse } from "./exchange";

/** What the headers of a response say about when, and whether, to ask again. */
export interface RetryHints {
  /** `x-should-retry`, where the service gives it. */
  readonly shouldRetry?: boolean | undefined;
  /** From `retry-after-ms` or `retry-after`, in seconds or as a date by the service's clock. */
  readonly retryAfterMs?: number | undefined;
}

type Headers = HttpResponse["headers"];

/** One header's value, the first where there are several. */
export function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The service's time of the response, in epoch milliseconds. */
export function dateOf(headers: Headers): number | undefined {
  const epochMs = Date.parse(header(headers, "date") ?? "");
  return Number.isNaN(epochMs) ? undefined : epochMs;
}

/** `serverNow` stands in for a missing `Date` header. */
export function retryHintsOf(headers: Headers, serverNow: number): RetryHints {
  const shouldRetry = header(headers, "x-should-retry");
  return {
    shouldRetry: shouldRetry === "true" ? true : shouldRetry === "false" ? false : undefined,
    retryAfterMs: retryAfterMsOf(headers, dateOf(headers) ?? serverNow),
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
