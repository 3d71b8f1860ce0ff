import { NotFoundError } from "../../src/api/errors";
import { rejection } from "./support/api-fixture";
import { broken, FakeService, forbidden, response, unavailable } from "./support/fake-service";
import { sampleOperation } from "./support/samples";
import { forEachTest } from "../support/suite";

const notFound = (): NotFoundError => new NotFoundError({ ...response, status: 404 });
const times = (count: number, make: () => Error): Error[] => Array.from({ length: count }, make);

const service = forEachTest(() => new FakeService());

describe("waiting for an operation", () => {
  it("does not ask about an operation that has ended", async () => {
    const done = { ...sampleOperation(), status: "done" };
    expect(await service.waiter.wait(done)).toBe(done);
    expect(service.requests).toEqual([]);
  });

  it("polls an unknown kind quickly, then up to five seconds", async () => {
    const wait = service.start("a", 40_000);
    await service.clock.run(60_000);
    await expect(wait.result).resolves.toMatchObject({ id: "a", status: "done" });
    expect(wait.progress.slice(0, 5)).toEqual([250, 400, 550, 700, 850]);
    const pauses = wait.progress.map((at, index) => at - (wait.progress[index - 1] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_500);
    expect(wait.tookMs).toBeGreaterThanOrEqual(40_000);
    expect(wait.tookMs).toBeLessThan(46_000);
    expect(service.requests.length).toBeLessThan(40);
  });

  it("polls after the second that such operations usually take", async () => {
    await service.learn(1_000);
    const wait = service.start("b", 1_000);
    await service.clock.run(5_000);
    expect(wait.tookMs).toBeLessThan(1_150);
    expect(service.requests).toEqual(["b"]);
  });

  it("counts an operation's duration from its request", async () => {
    await service.learn(1_000);
    const wait = service.start("b", 800, {}, { sentAt: service.clock.now() - 200 });
    await service.clock.run(5_000);
    expect(wait.tookMs).toBe(810);
    expect(service.requests).toEqual(["b"]);
  });

  it("uses the creation time of another kind for a new kind", async () => {
    await service.learn(1_000);
    const wait = service.start("b", 1_000, { kind: "vpc" });
    await service.clock.run(990);
    expect(service.requests).toEqual([]);
    await service.clock.run(5_000);
    expect(wait.tookMs).toBeLessThan(1_200);
  });

  it("learns no duration from operations of another type", async () => {
    await service.learn(1_000);
    const wait = service.start("b", 150, { type: "delete" });
    await service.clock.run(5_000);
    expect(wait.tookMs).toBeLessThanOrEqual(250);
  });

  it.each([
    ["too early", 0],
    ["too late", 86_400_000],
  ])("measures by its polls if timestamps put the end %s", async (_when, offMs) => {
    service.timestampsOffMs = offMs;
    for (const id of ["a", "b"]) {
      service.start(id, 1_000);
      await service.clock.run(5_000);
    }
    service.requests.length = 0;
    const wait = service.start("c", 1_000);
    await service.clock.run(5_000);
    expect(service.requests.length).toBeLessThanOrEqual(4);
    expect(wait.tookMs).toBeLessThan(1_500);
  });

  it.each(["unknown", "pending", "paused"])("keeps polling at the status %s", async (status) => {
    service.accept("a", 0, {}, status);
    const wait = service.waiter.wait({ ...sampleOperation(), id: "a", status }, { timeoutMs: 1_000 });
    wait.catch(() => undefined);
    await service.clock.run(800);
    expect(service.requests.length).toBeGreaterThan(2);
    await service.clock.run(1_000);
    expect(await rejection(wait)).toMatchObject({ code: "OPERATION_TIMEOUT", operation: { status } });
  });

  it.each([
    ["error", { error: { message: "quota exceeded" } }, "quota exceeded"],
    ["details", { details: { reason: "no capacity" } }, "no capacity"],
    ["nothing", {}, "the API gave no reason"],
  ])("fails with the %s of a failed operation", async (_where, message, words) => {
    const operation = service.accept("a", 100, message, "failed");
    const wait = service.waiter.wait(operation, { purpose: 'create FirewallRule "web"' });
    wait.catch(() => undefined);
    await service.clock.run(1_000);
    const error = await rejection(wait);
    expect(error).toMatchObject({ code: "OPERATION_FAILED", operation: { id: "a", status: "failed" } });
    expect(error).not.toHaveProperty("id");
    expect(error.message).toContain('create FirewallRule "web": the API accepted it');
    expect(error.message).toContain(words);
  });

  it("polls at the deadline, and throws the last answer", async () => {
    const wait = service.start("a", 60_000, {}, { timeoutMs: 7_777 });
    await service.clock.run(60_000);
    expect(await rejection(wait.result)).toMatchObject({
      code: "OPERATION_TIMEOUT",
      operation: { id: "a", status: "running" },
    });
    expect(wait.tookMs).toBe(7_777);
    expect(wait.progress.at(-1)).toBe(7_777);
  });

  it("uses the client's deadline by default", async () => {
    const wait = service.start("a", 600_000);
    await service.clock.run(100_000);
    await rejection(wait.result);
    expect(wait.tookMs).toBe(60_000);
  });

  const timeout = { code: "OPERATION_TIMEOUT", cause: { code: "CONNECTION_ERROR" } };
  const [inTime, long] = [{ timeoutMs: 3_000 }, { durationMs: 60_000 }];

  it.each<[string, Error[], { durationMs?: number; timeoutMs?: number }, object, { polls?: number; mostMs: number }]>([
    ["goes on if some polls fail", [unavailable(), broken(), unavailable()], {}, { status: "done" }, { mostMs: 5_000 }],
    ["goes on if new operations are hidden", times(3, notFound), {}, { status: "done" }, { mostMs: 5_000 }],
    ["ends with the last failure as the timeout's cause", times(100, broken), inTime, timeout, { mostMs: 3_000 }],
    ["ends if a poll is forbidden", [forbidden()], {}, { code: "FORBIDDEN" }, { polls: 1, mostMs: 5_000 }],
    ["ends after ten seconds of 404", times(100, notFound), long, { code: "NOT_FOUND" }, { mostMs: 16_000 }],
  ])("the wait %s", async (_title, failures, { durationMs = 500, ...options }, outcome, { polls, mostMs }) => {
    service.failures.push(...failures);
    const wait = service.start("a", durationMs, {}, options);
    await service.clock.run(20_000);
    expect(await wait.result.catch((error: unknown) => error)).toMatchObject(outcome);
    expect(wait.tookMs).toBeLessThanOrEqual(mostMs);
    if (polls !== undefined) expect(service.requests).toHaveLength(polls);
  });

  it("the wait ends at once if aborted", async () => {
    const abort = new AbortController();
    const wait = service.start("a", 10_000, {}, { signal: abort.signal });
    await service.clock.run(500);
    const count = service.requests.length;
    abort.abort();
    expect(await rejection(wait.result)).toMatchObject({ code: "ABORTED" });
    await service.clock.run(20_000);
    expect(service.requests).toHaveLength(count);
  });

  it("an error of a progress callback ends only that wait", async () => {
    const onProgress = (): never => {
      throw new Error("callback");
    };
    const first = service.start("a", 500, {}, { onProgress });
    const second = service.start("b", 500);
    await service.clock.run(5_000);
    await expect(first.result).rejects.toThrow("callback");
    await expect(second.result).resolves.toMatchObject({ id: "b" });
  });
});
