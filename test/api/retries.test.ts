import { bench, rejection } from "./support/api-fixture";
import { ids, sampleApiKey, sampleApiKeyCreate } from "./support/samples";

const ok = { status: 200, body: sampleApiKey() };

describe("a call", () => {
  it("repeats a GET after growing pauses", async () => {
    const { api, clock, server } = await bench((_request, count) => (count < 4 ? { status: 500, body: {} } : ok));
    await expect(api.apiKeys.get(ids.key)).resolves.toMatchObject({ id: ids.key });
    expect(clock.slept).toEqual([187.5, 375, 750]);
    expect(server.arrived).toHaveLength(4);
  });

  it.each([
    ["POST", 1],
    ["PATCH", 1],
    ["DELETE", 5],
    ["GET", 5],
  ])("tries a %s at most %i times", async (method, attempts) => {
    const { api, server } = await bench(() => ({ status: 500, body: {} }));
    const calls = {
      POST: () => api.apiKeys.create(sampleApiKeyCreate()),
      PATCH: () => api.apiKeys.update(ids.key, {}),
      DELETE: () => api.apiKeys.delete(ids.key),
      GET: () => api.apiKeys.get(ids.key),
    } as Record<string, () => Promise<unknown>>;
    expect(await rejection(calls[method]!())).toMatchObject({ code: "SERVER_ERROR", effect: "unknown" });
    expect(server.arrived).toHaveLength(attempts);
  });

  const inTenSeconds = { date: "Fri, 02 Jan 2026 00:00:00 GMT", "retry-after": "Fri, 02 Jan 2026 00:00:10 GMT" };
  it.each<[string, Record<string, string>, number[]]>([
    ["for the given seconds", { "retry-after": "3" }, [3_125, 3_250]],
    ["with growing pauses", {}, [187.5, 375]],
    ["until the API's date", inTenSeconds, [10_125, 10_250]],
  ])("waits after a rate limit %s before it repeats a POST", async (_how, headers, pauses) => {
    const limited = { status: 429, body: {}, headers };
    const { api, clock } = await bench((_request, count) => (count < 3 ? limited : { ...ok, status: 201 }));
    await api.apiKeys.create(sampleApiKeyCreate());
    expect(clock.slept).toEqual(pauses);
  });

  it("Retry-After of one call delays all calls", async () => {
    const limited = { status: 429, body: {}, headers: { "retry-after": "60" } };
    const { api, clock, server } = await bench((_request, count) => (count === 1 ? limited : ok));
    await rejection(api.apiKeys.get(ids.key, { deadlineMs: 2_000 }));
    await api.apiKeys.get(ids.key);
    expect(clock.slept).toEqual([60_000]);
    expect(server.arrived).toHaveLength(2);
  });

  it("retries a rate limit even if retries are disabled", async () => {
    const limited = { status: 429, body: {}, headers: { "retry-after": "3" } };
    const { api, server } = await bench((_request, count) => (count === 1 ? limited : { status: 503, body: {} }));
    const error = await rejection(api.apiKeys.get(ids.key, { retry: false }));
    expect(error).toMatchObject({ code: "SERVER_ERROR" });
    expect(server.arrived).toHaveLength(2);
  });

  it("warns once of the API's rate limit", async () => {
    const limited = { status: 429, body: {}, headers: { "retry-after": "1" } };
    const { api, server, warnings } = await bench((_request, count) => (count % 4 === 1 ? limited : ok));
    await Promise.all(Array.from({ length: 12 }, () => api.apiKeys.get(ids.key)));
    expect(server.arrived).toHaveLength(16);
    expect(warnings).toEqual([expect.stringContaining("The API limits the rate of requests")]);
  });

  it("fails at once if the pause exceeds the deadline", async () => {
    const { api, clock, server } = await bench(() => ({ status: 429, body: {}, headers: { "retry-after": "30" } }));
    const error = await rejection(api.apiKeys.get(ids.key, { deadlineMs: 2_000 }));
    expect(error).toMatchObject({ code: "RATE_LIMITED", retryAfterMs: 30_000 });
    expect(error.message).toContain("asks to wait 30 s");
    expect(clock.slept).toEqual([]);
    const next = await rejection(api.apiKeys.get(ids.key, { deadlineMs: 2_000 }));
    expect(next).toMatchObject({ code: "PAUSED", effect: "none" });
    expect(next.message).toMatch(
      /failed: .* limits the rate of requests, and has asked for a pause of 30 s; this request waits 2 s at most\. Run again after the pause/,
    );
    expect(server.arrived).toHaveLength(1);
  });

  it("skips an advisory request whose Retry-After exceeds its deadline", async () => {
    const limited = { status: 429, body: {}, headers: { "retry-after": "120" } };
    const { api, clock } = await bench(({ url }) => (url.endsWith("/cost") ? limited : ok));
    const error = await rejection(api.apiKeys.quoteCreate({}, { deadlineMs: 2_000 }));
    expect(error).toMatchObject({ code: "RATE_LIMITED" });
    await api.apiKeys.get(ids.key);
    expect(clock.slept.filter((ms) => ms > 1_000)).toEqual([]);
  });

  it("names the rate limit if it refuses every attempt", async () => {
    const { api } = await bench(() => ({ status: 429, body: {} }));
    const failed = await Promise.all(Array.from({ length: 40 }, () => rejection(api.apiKeys.get(ids.key))));
    expect(failed.filter(({ code }) => code !== "RATE_LIMITED" && code !== "PAUSED")).toEqual([]);
  });

  it.each([
    ["two minutes", 5_000, 70_000],
    ["twice a longer request timeout", 100_000, 130_000],
  ])("uses as default deadline %s", async (_name, requestTimeoutMs, answerMs) => {
    const { api, clock, server } = await bench(
      () => {
        clock.advance(answerMs);
        return { status: 500, body: {} };
      },
      { requestTimeoutMs },
    );
    await rejection(api.apiKeys.get(ids.key));
    expect(server.arrived).toHaveLength(2);
  });

  it("a change ends if cancelled during a pause", async () => {
    const abort = new AbortController();
    const clock = {
      now: () => 0,
      timeOfDay: () => 0,
      sleep: (_ms: number, signal?: AbortSignal) => forever(signal, () => abort.abort()),
    };
    const { api, server } = await bench(() => ({ status: 503, body: {} }), { clock });
    const error = await rejection(api.apiKeys.delete(ids.key, { cancelled: abort.signal }));
    expect(error).toMatchObject({ code: "ABORTED", effect: "unknown" });
    expect(server.arrived).toHaveLength(1);
  });
});

describe("the API's time", () => {
  const at = (day: number): string => new Date(Date.UTC(2026, 1, day)).toUTCString();

  it("the API's time is the local clock before any response", async () => {
    const { api, clock } = await bench(() => ok);
    expect(api.now()).toBe(clock.now());
  });

  it("the API's time is the Date of an answer", async () => {
    const { api, clock } = await bench(() => ({ ...ok, headers: { date: at(2) } }));
    await api.apiKeys.get(ids.key);
    clock.advance(1_500);
    expect(api.now()).toBe(Date.parse(at(2)) + 1_500);
  });

  it.each([
    ["a refusal", { status: 422, body: {}, headers: { date: at(9) } }],
    ["an answer of another form", { status: 200, body: {}, headers: { date: at(9) } }],
    ["one answer that is ahead", { ...ok, headers: { date: at(9) } }],
  ])("does not take the API's time from %s", async (_title, strange) => {
    const { api } = await bench((_request, count) => (count === 2 ? strange : { ...ok, headers: { date: at(2) } }));
    await api.apiKeys.get(ids.key);
    await api.apiKeys.get(ids.key).catch(() => undefined);
    expect(api.now()).toBe(Date.parse(at(2)));
  });

  it("the API's time includes the age of a cached answer", async () => {
    const { api } = await bench(() => ({ ...ok, headers: { date: at(2), age: "86400" } }));
    await api.apiKeys.get(ids.key);
    expect(api.now()).toBe(Date.parse(at(3)));
  });
});

/** A pause that ends only if it is aborted. */
function forever(signal: AbortSignal | undefined, asleep: () => void): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new Error("aborted")), { once: true });
    setImmediate(asleep);
  });
}
