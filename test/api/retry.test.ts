import { decideRetry, isTransientStatus, MAX_ATTEMPTS, MAX_RATE_LIMITED, type Failure } from "../../src/api/http/retry";

const plenty = { failed: 1, rateLimited: 0, remainingMs: 60_000, random: 0 };

function answered(method: string, status: number, more: Partial<Failure> = {}): Failure {
  const effect = status < 500 && status !== 408 ? "none" : "unknown";
  return { method, idempotent: false, status, transient: isTransientStatus(status), effect, ...more };
}

function unanswered(method: string, effect: Failure["effect"], more: Partial<Failure> = {}): Failure {
  return { method, idempotent: false, transient: true, effect, ...more };
}

const retried = (failure: Failure): boolean => decideRetry(failure, plenty) !== undefined;

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
    "when $status comes, GET, PUT and DELETE are repeated: $safe; POST and PATCH: $unsafe",
    ({ status, safe, unsafe }: { status: number; safe: boolean; unsafe: boolean }) => {
      for (const method of ["GET", "PUT", "DELETE"])
        expect([method, retried(answered(method, status))]).toEqual([method, safe]);
      for (const method of ["POST", "PATCH"])
        expect([method, retried(answered(method, status))]).toEqual([method, unsafe]);
      expect(retried(answered("POST", status, { idempotent: true }))).toBe(safe);
    },
  );

  it.each`
    method      | effect       | expected
    ${"GET"}    | ${"none"}    | ${true}
    ${"GET"}    | ${"unknown"} | ${true}
    ${"DELETE"} | ${"unknown"} | ${true}
    ${"POST"}   | ${"none"}    | ${true}
    ${"POST"}   | ${"unknown"} | ${false}
    ${"PATCH"}  | ${"none"}    | ${true}
    ${"PATCH"}  | ${"unknown"} | ${false}
  `(
    "when there is no answer to $method and its effect is $effect, it is repeated: $expected",
    ({ method, effect, expected }: { method: string; effect: Failure["effect"]; expected: boolean }) => {
      expect(retried(unanswered(method, effect))).toBe(expected);
    },
  );

  it("when a quote's answer is lost, it is asked again although it is a POST", () => {
    expect(retried(unanswered("POST", "unknown", { idempotent: true }))).toBe(true);
  });

  it("when the failure is for good (a wrong certificate), nothing is repeated", () => {
    expect(retried(unanswered("GET", "none", { transient: false }))).toBe(false);
    expect(retried(unanswered("POST", "none", { transient: false }))).toBe(false);
  });

  it.each`
    method    | status | shouldRetry | expected
    ${"GET"}  | ${503} | ${false}    | ${false}
    ${"GET"}  | ${429} | ${false}    | ${false}
    ${"POST"} | ${429} | ${false}    | ${false}
    ${"GET"}  | ${409} | ${true}     | ${true}
    ${"POST"} | ${409} | ${true}     | ${true}
    ${"POST"} | ${503} | ${true}     | ${false}
    ${"POST"} | ${408} | ${true}     | ${false}
  `(
    "when $status says x-should-retry: $shouldRetry, $method is repeated: $expected",
    ({
      method,
      status,
      shouldRetry,
      expected,
    }: {
      method: string;
      status: number;
      shouldRetry: boolean;
      expected: boolean;
    }) => {
      expect(retried(answered(method, status, { shouldRetry }))).toBe(expected);
    },
  );

  it("when the attempts are used up, the failure stands", () => {
    const failure = answered("GET", 503);
    expect(decideRetry(failure, { ...plenty, failed: MAX_ATTEMPTS - 1 })).toBeDefined();
    expect(decideRetry(failure, { ...plenty, failed: MAX_ATTEMPTS })).toBeUndefined();
  });

  it("when only the rate limit is met, it is tried more often than after failures, but not for ever", () => {
    const failure = answered("POST", 429, { retryAfterMs: 10 });
    expect(decideRetry(failure, { ...plenty, failed: 0, rateLimited: MAX_RATE_LIMITED })).toBe(10);
    expect(decideRetry(failure, { ...plenty, failed: 0, rateLimited: MAX_RATE_LIMITED + 1 })).toBeUndefined();
  });

  it("when the pause would outlast the deadline, the failure stands at once", () => {
    const failure = answered("GET", 503, { retryAfterMs: 5_000 });
    expect(decideRetry(failure, { ...plenty, remainingMs: 5_001 })).toBe(5_000);
    expect(decideRetry(failure, { ...plenty, remainingMs: 5_000 })).toBeUndefined();
  });

  it("when no pause is asked for, pauses double up to a cap, with jitter over their upper half", () => {
    const pauses = (random: number): (number | undefined)[] =>
      [1, 2, 3, 4].map((failed) => decideRetry(answered("GET", 500), { ...plenty, failed, random }));
    expect(pauses(1)).toEqual([250, 500, 1_000, 2_000]);
    expect(pauses(0)).toEqual([125, 250, 500, 1_000]);
    expect(decideRetry(answered("GET", 429), { ...plenty, failed: 0, rateLimited: 15, random: 1 })).toBe(8_000);
  });

  it("when a pause is asked for, it is never shortened", () => {
    const failure = answered("GET", 429, { retryAfterMs: 3_000 });
    expect(decideRetry(failure, { ...plenty, random: 0 })).toBe(3_000);
    expect(decideRetry(failure, { ...plenty, random: 1 })).toBe(3_250);
  });
});
