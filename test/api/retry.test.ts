import { ConnectionError, type Effect } from "../../src/api/errors";
import { apiErrorFor } from "../../src/api/errors/api-error";
import { retryHintsOf } from "../../src/api/http/response";
import { decideRetry, MAX_ATTEMPTS, MAX_RATE_LIMITED } from "../../src/api/http/retry";
import type { Attempts, Failure, RetriedCall } from "../../src/api/http/retry";

const plenty: Attempts = { failed: 1, rateLimited: 0, hasNewKey: false, remainingMs: 60_000, random: 0 };
const line = { method: "GET", path: "/v1/vpcs" };

function answered(status: number, hints: Failure["hints"] = {}): Failure {
  return {
    error: apiErrorFor({ line, status, parameters: {}, credentialSource: "test", credentialRemedy: "", attempts: 1 }),
    hints,
  };
}

function unanswered(effect: Effect, failure: "broken" | "tls" = "broken"): Failure {
  return { error: new ConnectionError(line, "api.example.com", { failure, effect, code: "ECONNRESET" }), hints: {} };
}

const GET: RetriedCall = { method: "GET" };
const POST: RetriedCall = { method: "POST" };
type Method = RetriedCall["method"];
const again = (failure: Failure, method: Method, more: Partial<RetriedCall> = {}): boolean =>
  decideRetry(failure, plenty, { method, ...more }) !== undefined;

describe("decideRetry", () => {
  it.each`
    status | safe     | unsafe
    ${301} | ${false} | ${false}
    ${400} | ${false} | ${false}
    ${401} | ${false} | ${false}
    ${403} | ${false} | ${false}
    ${404} | ${false} | ${false}
    ${405} | ${false} | ${false}
    ${408} | ${true}  | ${false}
    ${409} | ${false} | ${false}
    ${422} | ${false} | ${false}
    ${425} | ${false} | ${false}
    ${429} | ${true}  | ${true}
    ${500} | ${true}  | ${false}
    ${501} | ${false} | ${false}
    ${502} | ${true}  | ${false}
    ${503} | ${true}  | ${false}
    ${504} | ${true}  | ${false}
  `(
    "$status repeats GET and DELETE: $safe; POST and PATCH: $unsafe",
    ({ status, safe, unsafe }: { status: number; safe: boolean; unsafe: boolean }) => {
      for (const method of ["GET", "DELETE"] as const)
        expect([method, again(answered(status), method)]).toEqual([method, safe]);
      for (const method of ["POST", "PATCH"] as const)
        expect([method, again(answered(status), method)]).toEqual([method, unsafe]);
      expect(again(answered(status), "POST", { idempotent: true })).toBe(safe);
    },
  );

  it.each<[Method, Effect, boolean]>([
    ["GET", "none", true],
    ["GET", "unknown", true],
    ["DELETE", "unknown", true],
    ["POST", "none", true],
    ["POST", "unknown", false],
    ["PATCH", "none", true],
    ["PATCH", "unknown", false],
  ])("repeats %s without an answer, effect %s: %s", (method, effect, expected) => {
    expect(again(unanswered(effect), method)).toBe(expected);
  });

  it("repeats a quote whose response is lost", () => {
    expect(again(unanswered("unknown"), "POST", { idempotent: true })).toBe(true);
  });

  it("repeats nothing after a permanent failure", () => {
    expect(again(unanswered("none", "tls"), "GET")).toBe(false);
    expect(again(unanswered("none", "tls"), "POST")).toBe(false);
  });

  it.each<[Method, number, boolean, boolean]>([
    ["GET", 503, false, false],
    ["GET", 429, false, false],
    ["POST", 429, false, false],
    ["GET", 409, true, true],
    ["POST", 409, true, false],
    ["POST", 503, true, false],
    ["POST", 408, true, false],
  ])("repeats %s after %i with x-should-retry %s: %s", (method, status, shouldRetry, expected) => {
    expect(again(answered(status, { shouldRetry }), method)).toBe(expected);
  });

  it("decideRetry returns no pause after the last attempt", () => {
    const failure = answered(503);
    expect(decideRetry(failure, { ...plenty, failed: MAX_ATTEMPTS - 1 }, GET)).toBeDefined();
    expect(decideRetry(failure, { ...plenty, failed: MAX_ATTEMPTS }, GET)).toBeUndefined();
  });

  it("allows more attempts after rate limits, but not unlimited", () => {
    const failure = answered(429, { retryAfterMs: 10 });
    expect(decideRetry(failure, { ...plenty, failed: 0, rateLimited: MAX_RATE_LIMITED }, POST)).toBe(10);
    expect(decideRetry(failure, { ...plenty, failed: 0, rateLimited: MAX_RATE_LIMITED + 1 }, POST)).toBeUndefined();
  });

  it("fails at once if the pause would outlast the deadline", () => {
    const failure = answered(503, { retryAfterMs: 5_000 });
    expect(decideRetry(failure, { ...plenty, remainingMs: 5_001 }, GET)).toBe(5_000);
    expect(decideRetry(failure, { ...plenty, remainingMs: 5_000 }, GET)).toBeUndefined();
  });

  it("doubles pauses up to a cap, with jitter", () => {
    const pauses = (random: number): (number | undefined)[] =>
      [1, 2, 3, 4].map((failed) => decideRetry(answered(500), { ...plenty, failed, random }, GET));
    expect(pauses(1)).toEqual([250, 500, 1_000, 2_000]);
    expect(pauses(0)).toEqual([125, 250, 500, 1_000]);
    expect(decideRetry(answered(429), { ...plenty, failed: 0, rateLimited: 15, random: 1 }, GET)).toBe(8_000);
  });

  it("never shortens a requested pause", () => {
    const failure = answered(429, { retryAfterMs: 3_000 });
    expect(decideRetry(failure, { ...plenty, random: 0 }, GET)).toBe(3_000);
    expect(decideRetry(failure, { ...plenty, random: 1 }, GET)).toBe(3_250);
  });

  it("sends the next key at once after a refusal", () => {
    const last = { ...plenty, hasNewKey: true, failed: MAX_ATTEMPTS, remainingMs: 0 };
    for (const method of ["GET", "POST", "PATCH", "DELETE"] as const)
      expect(decideRetry(answered(401), last, { method, retry: false })).toBe(0);
    expect(again(answered(401), "GET")).toBe(false);
  });
});

describe("retryHintsOf", () => {
  const apiNow = Date.parse("2026-01-01T00:00:00Z");
  const date = "Thu, 01 Jan 2026 00:10:00 GMT";

  it.each([
    ["seconds", { "retry-after": "7" }, 7_000],
    ["fractions of a second", { "retry-after": "0.25" }, 250],
    ["no pause", { "retry-after": "0" }, 0],
    ["a negative number", { "retry-after": "-3" }, 0],
    ["milliseconds, which win", { "retry-after-ms": "150.5", "retry-after": "9" }, 150.5],
    ["a date, by the Date header", { "retry-after": "Thu, 01 Jan 2026 00:10:30 GMT", date }, 30_000],
    ["a date, without Date header", { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5_000],
    ["a date that has passed", { "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT", date }, 0],
    ["nonsense", { "retry-after": "soon" }, undefined],
    ["nothing", {}, undefined],
    ["the first of several", { "retry-after": ["2", "9"] }, 2_000],
  ])("reads the pause from Retry-After: %s", (_form, headers, expected) => {
    expect(retryHintsOf(headers, apiNow).retryAfterMs).toBe(expected);
  });

  it.each([
    ["true", true],
    ["false", false],
    ["maybe", undefined],
  ])("reads x-should-retry %s as %s", (text, expected) => {
    expect(retryHintsOf({ "x-should-retry": text }, apiNow).shouldRetry).toBe(expected);
  });
});
