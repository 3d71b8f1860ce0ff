import type { Clock } from "../../time/clock";
import type { CallOptions } from "../http/request";
import { NotFoundError, OperationTimeoutError, type RequestLine } from "../errors";
import { isFinal, type Operation, type OperationProgress } from "./operation";
import { nextPoll, type DurationHistory } from "./poll-schedule";
import { idKey } from "../../definition/same-id";
import { isTransient } from "../http/retry";

export interface OperationSource {
  get(id: string, options: CallOptions): Promise<Operation>;
  /** One page with the project's newest operations. */
  newest(projectId: string, options: CallOptions): Promise<readonly Operation[]>;
}

export interface PendingWait {
  operation: Operation;
  readonly line: RequestLine;
  readonly startedAt: number;
  readonly endsAt: number;
  readonly onProgress: ((progress: OperationProgress) => void) | undefined;
  readonly onLastPoll: (() => void) | undefined;
  readonly resolve: (operation: Operation) => void;
  readonly reject: (error: unknown) => void;
  release?: () => void;
}

interface Schedule {
  /** Infinity while a poll asks about it. */
  dueAt: number;
  /** The latest time of the poll. Until then it may wait for others. */
  latestAt: number;
  lastSeenPendingMs: number;
}

/** A poll that fails is not retried, because another one follows. */
const POLL: CallOptions = { retry: false, deadlineMs: 15_000 };
/** After a useless list, this many rounds poll without one. */
const ROUNDS_WITHOUT_LIST = 10;
/**
 * With more polls than this for each operation, polls wait longer for each other. The first `FREE_POLLS` do not count.
 */
const POLLS_PER_OPERATION = 0.6;
const FREE_POLLS = 10;
/** For this long, a new operation or object may answer 404, because the API may be eventually consistent. */
export const USUALLY_HIDDEN_MS = 10_000;
const BEING_POLLED: Pick<Schedule, "dueAt" | "latestAt"> = { dueAt: Infinity, latestAt: Infinity };

/** Polls the operations of one project as long as any wait is under way. It uses the list if that takes fewer calls. */
export class ProjectPoller {
  readonly #waits = new Map<PendingWait, Schedule>();
  #running = false;
  #wake = new AbortController();
  #roundsWithoutList = 0;
  #polls = 0;
  #ended = 0;

  constructor(
    private readonly projectId: string,
    private readonly source: OperationSource,
    private readonly clock: Clock,
    private readonly history: DurationHistory,
  ) {
    if (projectId === "") this.#roundsWithoutList = Infinity;
    history.onLearned((isLearned) => this.#reschedule(isLearned));
  }

  add(wait: PendingWait): void {
    this.#waits.set(wait, { ...this.#nextDue(wait), lastSeenPendingMs: 0 });
    this.#wake.abort();
    if (!this.#running) void this.#run();
  }

  drop(wait: PendingWait, error: unknown): void {
    if (!this.#waits.delete(wait)) return;
    wait.release?.();
    wait.reject(error);
    this.#wake.abort();
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waits.size > 0) {
      const lookAt = this.#nextPollAt();
      // Not awaited, so that a slow response does not delay the other waits.
      if (lookAt <= this.clock.now()) void this.#poll();
      else await this.#sleepUntil(lookAt);
    }
    this.#running = false;
  }

  /**
   * The time of the next poll: as late as possible, so that it sees many operations, but not after the latest time of
   * any.
   */
  #nextPollAt(): number {
    const schedules = [...this.#waits.values()];
    const latestAt = Math.min(...schedules.map((each) => each.latestAt));
    return Math.max(...schedules.map(({ dueAt }) => dueAt).filter((dueAt) => dueAt <= latestAt));
  }

  /** Sleeps until then, or until a wait is added, removed or polled. */
  async #sleepUntil(moment: number): Promise<void> {
    this.#wake = new AbortController();
    const { signal } = this.#wake;
    if (moment === Infinity) return new Promise((resolve) => signal.addEventListener("abort", () => resolve()));
    try {
      await this.clock.sleep(moment - this.clock.now(), signal);
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  async #poll(): Promise<void> {
    this.#polls += 1;
    const now = this.clock.now();
    const due = [...this.#waits].filter(([, { dueAt }]) => dueAt <= now).map(([wait]) => wait);
    for (const wait of due) {
      Object.assign(this.#waits.get(wait) ?? {}, BEING_POLLED);
      const expectedMs = this.history.expectedMs(wait.operation) ?? Infinity;
      if (now - wait.startedAt >= expectedMs) wait.onLastPoll?.();
    }
    const listed = this.#waits.size > 1 ? await this.#list() : new Map<string, Operation>();
    for (const [wait, { dueAt }] of [...this.#waits]) {
      const operation = listed.get(idKey(wait.operation.id));
      const isLeftToOther = dueAt === Infinity && !due.includes(wait);
      if (operation && (isFinal(operation) || !isLeftToOther)) this.#saw(wait, operation, now);
    }
    const missing = due.filter((wait) => this.#waits.has(wait) && !listed.has(idKey(wait.operation.id)));
    // A list without any of the due operations costs a call and saves none.
    if (listed.size > 0 && missing.length === due.length) this.#roundsWithoutList = ROUNDS_WITHOUT_LIST;
    await Promise.all(missing.map((wait) => this.#pollOne(wait)));
  }

  async #list(): Promise<Map<string, Operation>> {
    if (this.#roundsWithoutList > 0) {
      this.#roundsWithoutList -= 1;
      return new Map();
    }
    try {
      const operations = await this.source.newest(this.projectId, POLL);
      return new Map(operations.map((operation) => [idKey(operation.id), operation]));
    } catch (error) {
      // If the following single polls have the same problem, they report it.
      this.#roundsWithoutList = isTransient(error) ? 1 : ROUNDS_WITHOUT_LIST;
      return new Map();
    }
  }

  async #pollOne(wait: PendingWait): Promise<void> {
    const { purpose } = wait.line;
    try {
      const requestedAt = this.clock.now();
      const options = { ...POLL, ...(purpose !== undefined && { purpose }) };
      this.#saw(wait, await this.source.get(wait.operation.id, options), requestedAt);
    } catch (error) {
      if (!isTransient(error) && !this.#mayBeHidden(wait, error)) this.drop(wait, error);
      else this.#goOn(wait, error);
    }
  }

  /** A new operation may answer 404, because the API may be eventually consistent. */
  #mayBeHidden({ startedAt }: PendingWait, error: unknown): boolean {
    return error instanceof NotFoundError && this.clock.now() - startedAt < USUALLY_HIDDEN_MS;
  }

  #saw(wait: PendingWait, operation: Operation, requestedAt: number): void {
    const schedule = this.#waits.get(wait);
    if (!schedule) return;
    wait.operation = operation;
    const waitedMs = this.clock.now() - wait.startedAt;
    if (isFinal(operation)) {
      this.#ended += 1;
      this.history.record(operation, schedule.lastSeenPendingMs, waitedMs);
      this.#waits.delete(wait);
      wait.release?.();
      wait.resolve(operation);
      return;
    }
    schedule.lastSeenPendingMs = requestedAt - wait.startedAt;
    try {
      wait.onProgress?.({ operation, waitedMs });
    } catch (error) {
      this.drop(wait, error);
      return;
    }
    this.#goOn(wait);
  }

  #reschedule(isLearned: (operation: Operation) => boolean): void {
    for (const [wait, schedule] of this.#waits) {
      if (schedule.dueAt < Infinity && isLearned(wait.operation)) Object.assign(schedule, this.#nextDue(wait));
    }
    this.#wake.abort();
  }

  #goOn(wait: PendingWait, error?: unknown): void {
    const schedule = this.#waits.get(wait);
    if (!schedule) return;
    const now = this.clock.now();
    if (now < wait.endsAt) Object.assign(schedule, this.#nextDue(wait));
    else this.drop(wait, new OperationTimeoutError(wait.operation, now - wait.startedAt, wait.line, { cause: error }));
    this.#wake.abort();
  }

  #nextDue(wait: PendingWait): Pick<Schedule, "dueAt" | "latestAt"> {
    const now = this.clock.now();
    const hasPolledOften = this.#polls > FREE_POLLS + this.#ended * POLLS_PER_OPERATION;
    const expectation = {
      expectedMs: this.history.expectedMs(wait.operation),
      firstPollMs: this.history.firstPollMs(wait.operation, this),
    };
    const { afterMs, slackMs } = nextPoll(now - wait.startedAt, expectation, hasPolledOften);
    const beforeEnd = (at: number): number => Math.max(now, Math.min(wait.endsAt, at));
    return { dueAt: beforeEnd(now + afterMs), latestAt: beforeEnd(now + afterMs + slackMs) };
  }
}
