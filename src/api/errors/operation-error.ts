import { CloudinfraError } from "./cloudinfra-error";
import { failureReason, type Operation } from "../operations/operation";

/** How the time for an operation is raised. */
export const RAISE =
  "For more time, set customTimeouts on the resource, or cloudinfra:operationTimeout for all (default 10m).";

const name = ({ type, kind, resource_id, id }: Operation): string => `${type} ${kind} ${resource_id} (operation ${id})`;

/** The API accepted the request and its operation then ended as `failed`. */
export class OperationFailedError extends CloudinfraError {
  readonly code = "OPERATION_FAILED";

  constructor(
    readonly operation: Operation,
    what?: string,
  ) {
    const reason = failureReason(operation);
    super(
      `${what === undefined ? "" : `${what}: `}the API accepted it, but ${name(operation)} failed: ` +
        (reason ?? "the API gave no reason."),
    );
  }
}

/** The operation had not ended when the deadline passed; it may still be running at the API. */
export class OperationTimeoutError extends CloudinfraError {
  readonly code = "OPERATION_TIMEOUT";

  /** `cause`: why the last poll failed, if it did. */
  constructor(
    readonly operation: Operation,
    waitedMs: number,
    what?: string,
    options?: ErrorOptions,
  ) {
    super(
      `${what === undefined ? "" : `${what}: `}the API accepted it, but ${name(operation)} was still ` +
        `"${operation.status}" after ${Math.round(waitedMs / 1000)} s. It may end later: run again to go on waiting. ${RAISE}`,
      options,
    );
  }
}
