import { retryHintsOf } from "../../src/api/http/response";

const apiNow = Date.parse("2026-01-01T00:00:00Z");
const date = "Thu, 01 Jan 2026 00:10:00 GMT";

describe("retryHintsOf", () => {
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
  ])("reads Retry-After %s as %s", (_form, headers, expected) => {
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
