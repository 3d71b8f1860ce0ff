import { ConnectionError, ForbiddenError, NotFoundError, ServerError } from "../../src/api/errors";
import type { Operation } from "../../src/api/operation";
import { OperationWaiter, type WaitOptions } from "../../src/api/operations";
import { EventClock } from "./support/event-clock";
import { rejection } from "./support/api-bench";
import { sampleOperation } from "./support/samples";

/** Operations that end after so many milliseconds, and how they were asked for. */
class FakeService {
  readonly clock = new EventClock();
  readonly asked: string[] = [];
  readonly operations = new Map<
    string,
    { readonly operation: Operation; readonly endsAt: number; readonly as: string }
  >();
  /** What a request fails with, in order. */
  readonly failures: Error[] = [];
  /** How long operations took by their own timestamps, where these are wrong. */
  timestampsOffMs: number | undefined;
  listed: (all: Operation[]) => Operation[] = (all) => all;
  readonly waiter = new OperationWaiter({
    clock: this.clock,
    operationTimeoutMs: 60_000,
    source: {
      get: (id) => this.#answer(id, () => this.#now(id)),
      newest: (projectId) =>
        this.#answer(`list ${projectId}`, () =>
          this.listed(
            [...this.operations.keys()].map((id) => this.#now(id)).filter((each) => each.project_id === projectId),
          ),
        ),
    },
  });

  accept(id: string, durationMs: number, more: Partial<Operation> = {}, as = "done"): Operation {
    const created_at = new Date(this.clock.now()).toISOString();
    const operation: Operation = { ...sampleOperation(), id, created_at, updated_at: created_at, ...more };
    this.operations.set(id, { operation, endsAt: this.clock.now() + durationMs, as });
    return operation;
  }

  /** Accepts and waits; `settled` fills when the wait is over, with the moment. */
  start(id: string, durationMs: number, more: Partial<Operation> = {}, options: WaitOptions = {}) {
    const startedAt = this.clock.now();
    const progress: number[] = [];
    const wait = { tookMs: NaN, progress, result: Promise.resolve() as Promise<unknown> };
    const onProgress: WaitOptions["onProgress"] = ({ waitedMs }) => progress.push(waitedMs);
    wait.result = this.waiter.wait(this.accept(id, durationMs, more), { onProgress, ...options }).finally(() => {
      wait.tookMs = this.clock.now() - startedAt;
    });
    wait.result.catch(() => undefined);
    return wait;
  }

  #now(id: string): Operation {
    const known = this.operations.get(id);
    if (!known) throw new Error(`no operation ${id}`);
    if (this.clock.now() < known.endsAt) return { ...known.operation, status: "running" };
    const { operation, endsAt, as } = known;
    const endedAt =
      this.timestampsOffMs === undefined ? endsAt : Date.parse(operation.created_at) + this.timestampsOffMs;
    return { ...operation, status: as, updated_at: new Date(endedAt).toISOString() };
  }

  #answer<T>(question: string, answer: () => T): Promise<T> {
    this.asked.push(question);
    const failure = this.failures.shift();
    return failure ? Promise.reject(failure) : Promise.resolve().then(answer);
  }
}

const response = {
  line: { method: "GET", path: "/v1/operations/a" },
  parameters: {},
  credentialSource: "config",
  attempts: 1,
};
const forbidden = () => new ForbiddenError({ ...response, status: 403 });
const unavailable = () => new ServerError({ ...response, status: 503 });
const broken = () =>
  new ConnectionError(response.line, "api.example.com", { failure: "broken", effect: "unknown", code: "ECONNRESET" });

let service: FakeService;
beforeEach(() => {
  service = new FakeService();
});

describe("waiting for an operation", () => {
  it("when it has ended before, nothing is asked", async () => {
    const done = { ...sampleOperation(), status: "done" };
    expect(await service.waiter.wait(done)).toBe(done);
    expect(service.asked).toEqual([]);
  });

  it("when nothing is known of its kind, looks are quick at first, then rarer, up to five seconds", async () => {
    const wait = service.start("a", 40_000);
    await service.clock.run(60_000);
    await expect(wait.result).resolves.toMatchObject({ id: "a", status: "done" });
    expect(wait.progress.slice(0, 5)).toEqual([100, 200, 300, 450, 675]);
    const pauses = wait.progress.map((at, index) => at - (wait.progress[index - 1] ?? 0));
    expect(Math.max(...pauses)).toBeLessThanOrEqual(5_500);
    expect(wait.tookMs).toBeGreaterThanOrEqual(40_000);
    expect(wait.tookMs).toBeLessThan(46_000);
    expect(service.asked.length).toBeLessThan(20);
  });

  it("when others of its kind and type took a second, it is looked at after a second", async () => {
    service.start("a", 1_000);
    await service.clock.run(5_000);
    service.asked.length = 0;
    const wait = service.start("b", 1_000);
    await service.clock.run(5_000);
    expect(wait.tookMs).toBeLessThan(1_150);
    expect(service.asked).toEqual(["b"]);
  });

  it("when others of another type took a second, that says nothing", async () => {
    service.start("a", 1_000);
    await service.clock.run(5_000);
    const wait = service.start("b", 150, { type: "delete" });
    await service.clock.run(5_000);
    expect(wait.tookMs).toBeLessThanOrEqual(200);
  });

  it.each([
    ["too early", 0],
    ["too late", 86_400_000],
  ])("when timestamps put the end %s, the looks themselves say how long it took", async (_when, offMs) => {
    service.timestampsOffMs = offMs;
    for (const id of ["a", "b"]) {
      service.start(id, 1_000);
      await service.clock.run(5_000);
    }
    service.asked.length = 0;
    const wait = service.start("c", 1_000);
    await service.clock.run(5_000);
    expect(service.asked.length).toBeLessThanOrEqual(4);
    expect(wait.tookMs).toBeLessThan(1_500);
  });

  it.each(["unknown", "pending", "paused"])("when the status is %s, it goes on", async (status) => {
    service.accept("a", 0, {}, status);
    const wait = service.waiter.wait({ ...sampleOperation(), id: "a", status }, { timeoutMs: 1_000 });
    wait.catch(() => undefined);
    await service.clock.run(500);
    expect(service.asked.length).toBeGreaterThan(2);
    await service.clock.run(1_000);
    expect(await rejection(wait)).toMatchObject({ code: "OPERATION_TIMEOUT", operation: { status } });
  });

  it.each([
    ["error", { error: { message: "quota exceeded" } }, "quota exceeded"],
    ["details", { details: { reason: "no capacity" } }, "no capacity"],
    ["nothing", {}, "the API gave no reason"],
  ])("when it fails, the error holds it and what its %s says", async (_where, said, words) => {
    const operation = service.accept("a", 100, said, "failed");
    const wait = service.waiter.wait(operation, { what: 'create FirewallRule "web"' });
    wait.catch(() => undefined);
    await service.clock.run(1_000);
    const error = await rejection(wait);
    expect(error).toMatchObject({ code: "OPERATION_FAILED", operation: { id: "a", status: "failed" } });
    expect(error).not.toHaveProperty("id");
    expect(error.message).toContain('create FirewallRule "web": the API accepted it');
    expect(error.message).toContain(words);
  });

  it("when it does not end before the deadline, the error holds it as last seen, and it is looked at at the end", async () => {
    const wait = service.start("a", 60_000, {}, { timeoutMs: 7_777 });
    await service.clock.run(60_000);
    expect(await rejection(wait.result)).toMatchObject({
      code: "OPERATION_TIMEOUT",
      operation: { id: "a", status: "running" },
    });
    expect(wait.tookMs).toBe(7_777);
    expect(wait.progress.at(-1)).toBe(7_777);
  });

  it("when no deadline is given, it is the client's", async () => {
    const wait = service.start("a", 600_000);
    await service.clock.run(100_000);
    await rejection(wait.result);
    expect(wait.tookMs).toBe(60_000);
  });

  it("when looks fail for a moment, it goes on", async () => {
    service.failures.push(unavailable(), broken(), unavailable());
    const wait = service.start("a", 500);
    await service.clock.run(5_000);
    await expect(wait.result).resolves.toMatchObject({ status: "done" });
  });

  it("when looks fail until the deadline, the last failure is the cause", async () => {
    service.failures.push(...Array.from({ length: 100 }, broken));
    const wait = service.start("a", 500, {}, { timeoutMs: 3_000 });
    await service.clock.run(5_000);
    expect(await rejection(wait.result)).toMatchObject({
      code: "OPERATION_TIMEOUT",
      cause: { code: "CONNECTION_ERROR" },
    });
  });

  it.each([
    ["forbidden", forbidden(), "FORBIDDEN"],
    ["not found", new NotFoundError({ ...response, status: 404 }), "NOT_FOUND"],
  ])("when a look is %s, that is the end of the wait", async (_why, failure, code) => {
    service.failures.push(failure);
    const wait = service.start("a", 500);
    await service.clock.run(5_000);
    expect(await rejection(wait.result)).toMatchObject({ code });
    expect(service.asked).toHaveLength(1);
  });

  it("when it is aborted, it ends at once and nothing more is asked", async () => {
    const abort = new AbortController();
    const wait = service.start("a", 10_000, {}, { signal: abort.signal });
    await service.clock.run(500);
    const asked = service.asked.length;
    abort.abort();
    expect(await rejection(wait.result)).toMatchObject({ code: "ABORTED" });
    await service.clock.run(20_000);
    expect(service.asked).toHaveLength(asked);
  });

  it("when the progress callback throws, only that wait ends", async () => {
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

describe("waiting for many operations", () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `op-${index}`);

  it("when they are of one project, each round is one call", async () => {
    const waits = ids(50).map((id) => service.start(id, 300));
    await service.clock.run(5_000);
    await Promise.all(waits.map(({ result }) => result));
    expect(new Set(service.asked)).toEqual(new Set([`list ${sampleOperation().project_id}`]));
    expect(service.asked).toHaveLength(3);
  });

  it("when there is one only, it is asked for by id", async () => {
    service.start("a", 300);
    await service.clock.run(5_000);
    expect(new Set(service.asked)).toEqual(new Set(["a"]));
  });

  it("when they start a little apart, rounds still coincide, once it is known how long they take", async () => {
    service.start("first", 1_000);
    await service.clock.run(5_000);
    service.asked.length = 0;
    const waits = [];
    for (const id of ids(16)) {
      waits.push(service.start(id, 1_000));
      await service.clock.run(5);
    }
    await service.clock.run(5_000);
    await Promise.all(waits.map(({ result }) => result));
    expect(service.asked.length).toBeLessThanOrEqual(3);
  });

  it("when some are not on the page, those are asked for by id", async () => {
    service.listed = (all) => all.filter(({ id }) => id !== "op-3");
    ids(5).forEach((id) => service.start(id, 50));
    await service.clock.run(5_000);
    expect(service.asked).toEqual([`list ${sampleOperation().project_id}`, "op-3"]);
  });

  it("when the page shows none of them, it is left alone for a while", async () => {
    service.listed = () => [{ ...sampleOperation(), id: "somebody-else's" }];
    const waits = ids(3).map((id) => service.start(id, 1_000));
    await service.clock.run(5_000);
    await Promise.all(waits.map(({ result }) => result));
    expect(service.asked.filter((question) => question.startsWith("list"))).toHaveLength(1);
  });

  it("when the list is refused, they are asked for by id", async () => {
    service.failures.push(forbidden());
    const waits = ids(3).map((id) => service.start(id, 1_000));
    await service.clock.run(5_000);
    await Promise.all(waits.map(({ result }) => result));
    expect(service.asked.filter((question) => question.startsWith("list"))).toHaveLength(1);
  });

  it("when they are of two projects, each project is asked for its own", async () => {
    const waits = ids(4).map((id, index) => service.start(id, 50, { project_id: index % 2 ? "p1" : "p2" }));
    await service.clock.run(5_000);
    await Promise.all(waits.map(({ result }) => result));
    expect(service.asked.sort()).toEqual(["list p1", "list p2"]);
  });

  it("when one fails, the others go on", async () => {
    const failing = service.waiter.wait(service.accept("bad", 100, {}, "failed"));
    failing.catch(() => undefined);
    const others = ids(3).map((id) => service.start(id, 1_000));
    await service.clock.run(5_000);
    expect(await rejection(failing)).toMatchObject({ code: "OPERATION_FAILED", operation: { id: "bad" } });
    await expect(Promise.all(others.map(({ result }) => result))).resolves.toHaveLength(3);
  });

  it("when a new one comes while the others are asleep for long, it is looked at soon", async () => {
    service.start("slow", 50_000);
    await service.clock.run(30_000);
    const quick = service.start("quick", 100, { type: "delete" });
    await service.clock.run(1_000);
    expect(quick.tookMs).toBeLessThanOrEqual(200);
  });
});
