import { ConnectionError, ForbiddenError, ServerError } from "../../../src/api/errors";
import type { Operation } from "../../../src/api/operations/operation";
import { OperationWaiter, type WaitOptions } from "../../../src/api/operations/operation-waiter";
import { EventClock } from "./event-clock";
import { sampleOperation } from "./samples";

/** Operations that end after a given time, and the requests for them. */
export class FakeService {
  readonly clock = new EventClock();
  readonly requests: string[] = [];
  readonly operations = new Map<
    string,
    { readonly operation: Operation; readonly endsAt: number; readonly as: string }
  >();
  /** The errors of the next requests, in order. */
  readonly failures: Error[] = [];
  /** The durations by the operations' timestamps, if these are wrong. */
  timestampsOffMs: number | undefined;
  /** The latency of an answer. Its content is from the middle of that time. */
  latencyMs = 0;
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
          ).slice(-100),
        ),
    },
  });

  accept(id: string, durationMs: number, more: Partial<Operation> = {}, as = "done"): Operation {
    const created_at = new Date(this.clock.now()).toISOString();
    const operation: Operation = { ...sampleOperation(), id, created_at, updated_at: created_at, ...more };
    this.operations.set(id, { operation, endsAt: this.clock.now() + durationMs, as });
    return operation;
  }

  /** Starts an operation and waits for it. `tookMs` is set when the wait ends. */
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

  /** Lets one operation of this duration end, so that the client knows how long such operations take. */
  async learn(durationMs: number): Promise<void> {
    this.start("first", durationMs);
    await this.clock.run(5_000);
    this.requests.length = 0;
  }

  /** Advances the clock by `ms`, then waits for the results of `waits`. */
  async end(waits: readonly { readonly result: Promise<unknown> }[], ms = 5_000): Promise<void> {
    await this.clock.run(ms);
    await Promise.all(waits.map(({ result }) => result));
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

  async #answer<T>(request: string, answer: () => T): Promise<T> {
    this.requests.push(request);
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (this.latencyMs > 0) await this.clock.sleep(this.latencyMs / 2);
    const answered = answer();
    if (this.latencyMs > 0) await this.clock.sleep(this.latencyMs / 2);
    return answered;
  }
}

/** The members that all errors of the API have. */
export const response = {
  line: { method: "GET", path: "/v1/operations/a" },
  parameters: {},
  credentialSource: "config",
  credentialRemedy: "",
  attempts: 1,
};
export const forbidden = () => new ForbiddenError({ ...response, status: 403 });
export const unavailable = () => new ServerError({ ...response, status: 503 });
export const broken = () =>
  new ConnectionError(response.line, "api.example.com", { failure: "broken", effect: "unknown", code: "ECONNRESET" });
