import type { Clock } from "../../time/clock";
import { AbortedError, OperationFailedError, type RequestLine } from "../errors";
import { isFinal, type Operation, type OperationProgress } from "./operation";
import { DurationHistory } from "./poll-schedule";
import { ProjectPoller, type OperationSource, type PendingWait } from "./project-poller";

export interface WaitOptions {
  /** Default: the client's `operationTimeoutMs`. */
  readonly timeoutMs?: number;
  /**
   * When the request that began the operation was sent. The time waited counts from there, but `timeoutMs` from now.
   * Default: now.
   */
  readonly sentAt?: number;
  /** Ends the wait, not the operation, with an AbortedError. */
  readonly signal?: AbortSignal;
  /** Called after each poll of an operation that has not ended. */
  readonly onProgress?: (progress: OperationProgress) => void;
  /** Called when a poll is sent that is probably the last one, because the operation should have ended. */
  readonly onLastPoll?: (() => void) | undefined;
  readonly purpose?: string;
}

interface WaiterParts {
  readonly source: OperationSource;
  readonly clock: Clock;
  readonly operationTimeoutMs: number;
  readonly provider?: string | undefined;
}

/**
 * Waits for operations. A process has one waiter, with one poller for each project that has operations under way. The
 * pollers interpret the responses, also a 404.
 */
export class OperationWaiter {
  readonly #pollers = new Map<string, ProjectPoller>();
  readonly #history = new DurationHistory();

  constructor(private readonly parts: WaiterParts) {}

  /**
   * Resolves with the operation when it is done. Rejects with OperationFailedError, OperationTimeoutError,
   * AbortedError, or the error of a refused poll.
   */
  async wait(operation: Operation, options: WaitOptions = {}): Promise<Operation> {
    const { signal, purpose } = options;
    if (isFinal(operation)) return assertSucceeded(operation, purpose);
    const line: RequestLine = {
      method: "GET",
      path: `/v1/operations/${operation.id}`,
      purpose,
      provider: this.parts.provider,
    };
    if (signal?.aborted) throw new AbortedError(line, "none", { cause: signal.reason });
    const poller = this.#pollerOf(operation.project_id);
    const now = this.parts.clock.now();
    const ended = await new Promise<Operation>((resolve, reject) => {
      const wait: PendingWait = {
        operation,
        line,
        startedAt: options.sentAt ?? now,
        endsAt: now + (options.timeoutMs ?? this.parts.operationTimeoutMs),
        onProgress: options.onProgress,
        onLastPoll: options.onLastPoll,
        resolve,
        reject,
      };
      const onAbort = (): void => poller.drop(wait, new AbortedError(line, "none", { cause: signal?.reason }));
      signal?.addEventListener("abort", onAbort, { once: true });
      wait.release = () => signal?.removeEventListener("abort", onAbort);
      poller.add(wait);
    });
    return assertSucceeded(ended, purpose);
  }

  #pollerOf(projectId: string): ProjectPoller {
    const known = this.#pollers.get(projectId);
    if (known) return known;
    const poller = new ProjectPoller(projectId, this.parts.source, this.parts.clock, this.#history);
    this.#pollers.set(projectId, poller);
    return poller;
  }
}

function assertSucceeded(operation: Operation, purpose: string | undefined): Operation {
  if (operation.status === "failed") throw new OperationFailedError(operation, purpose);
  return operation;
}
