import { forgeError } from "../../src/cli/cost/comment/forge-error";

const retryAfter = (status: number, headers: Readonly<Record<string, string>>): number | undefined =>
  forgeError("comment", { status, headers, text: "" }, "token", { name: "GitHub", adviceOf: () => "" }).retryAfterMs;

it.each([
  ["0", 0],
  ["30", 30_000],
  ["31", undefined],
  ["-1", undefined],
  ["soon", undefined],
])("when a forge's rate limit is used up for %s s, it is waited for if that is short", (seconds, waitMs) => {
  expect(retryAfter(429, { "retry-after": seconds })).toBe(waitMs);
  expect(retryAfter(403, { "retry-after": seconds })).toBe(waitMs);
});

it("when a forge is at fault, the next attempt is at once, and after a refusal there is none", () => {
  expect(retryAfter(502, { "retry-after": "10" })).toBe(0);
  expect(retryAfter(404, { "retry-after": "10" })).toBeUndefined();
  expect(retryAfter(403, {})).toBeUndefined();
});
