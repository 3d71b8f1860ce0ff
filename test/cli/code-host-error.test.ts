import { codeHostError } from "../../src/cli/cost/comment/code-host-error";

const advice = { 401: "", 403: "", 404: "", moved: "" };
const retryAfter = (status: number, headers: Readonly<Record<string, string>>): number | undefined =>
  codeHostError("comment", { status, headers, text: "" }, { name: "GitHub", token: "token", advice }).retryAfterMs;

it.each([
  ["0", 0],
  ["30", 30_000],
  ["31", undefined],
  ["-1", undefined],
  ["soon", undefined],
])("waits for a rate limit of up to 30 s: %s s", (seconds, waitMs) => {
  expect(retryAfter(429, { "retry-after": seconds })).toBe(waitMs);
  expect(retryAfter(403, { "retry-after": seconds })).toBe(waitMs);
});

it("retries a server error at once, and a refusal never", () => {
  expect(retryAfter(502, { "retry-after": "10" })).toBe(0);
  expect(retryAfter(404, { "retry-after": "10" })).toBeUndefined();
  expect(retryAfter(403, {})).toBeUndefined();
});
