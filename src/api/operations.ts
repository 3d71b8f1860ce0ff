import type { Operation } from "./operation";

/** How an operation is waited for. */
export interface WaitOptions {
  /** Default: the client's `operationTimeoutMs`. */
  readonly timeoutMs?: number;
  /** Ends the wait (not the operation) with an AbortedError. */
  readonly signal?: AbortSignal;
  /** Called after each look at an operation that has not ended. */
  readonly onProgress?: (progress: OperationProgress) => void;
  /** For error texts. */
  readonly what?: string;
}

/** How far a wait is. */
export interface OperationProgress {
  readonly operation: Operation;
  readonly waitedMs: number;
}
