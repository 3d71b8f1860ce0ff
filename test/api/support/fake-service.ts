import { ConnectionError, ForbiddenError, ServerError } from "../../../src/api/errors";
import type { Operation } from "../../../src/api/operations/operation";
import { OperationWaiter, type WaitOptions } from "../../../src/api/operations/operation-waiter";
import { EventClock } from "./event-clock";
import { sampleOperation } from "./samples";

/** Operations that end after so many milliseconds, and how they were asked for. */
export class FakeService {
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
  /** How long an answer takes; what it says is as things are half-way. */
  latencyMs = 0;
  listed: (all: Operation[]) => Operation[] = (all) => all;
  /** How many operations were asked for, by each list. */
  readonly counts: number[] = [];
  readonly waiter = new OperationWaiter({
    clock: this.clock,
    operationTimeoutMs: 60_000,
    source: {
      get: (id) => this.#answer(id, () => this.#now(id)),
      newest: (projectId, count) => {
        this.counts.push(count);
        return this.#answer(`list ${projectId}`, () =>
          this.listed(
            [...this.operations.keys()].map((id) => this.#now(id)).filter((each) => each.project_id === projectId),
          ).slice(-count),
        );
      },
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

  async #answer<T>(question: string, answer: () => T): Promise<T> {
    this.asked.push(question);
    const failure = this.failures.shift();
    if (failure) throw failure;
    if (this.latencyMs > 0) await this.clock.sleep(this.latencyMs / 2);
    const answered = answer();
    if (this.latencyMs > 0) await this.clock.sleep(this.latencyMs / 2);
    return answered;
  }
}

/** What errors of the API have in common. */
export const response = {
  line: { method: "GET", path: "/v1/operations/a" },
  parameters: {},
  credentialSource: "config",
  attempts: 1,
};
export const forbidden = () => new ForbiddenError({ ...response, status: 403 });
export const unavailable = () => new ServerError({ ...response, status: 503 });
export const broken = () =>
  new ConnectionError(response.line, "api.example.com", { failure: "broken", effect: "unknown", code: "ECONNRESET" });
