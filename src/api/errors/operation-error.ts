import { SETTINGS, settingName } from "../../engine/settings-list";
import { CloudinfraError, type RequestLine } from "./cloudinfra-error";
import { failureReason, type Operation } from "../operations/operation";

/** How to raise the time limit of an operation, with the stack's settings or those of an explicit provider. */
export function howToRaise(provider: string | undefined): string {
  const setting = settingName("operationTimeout", provider);
  return `For more time, set customTimeouts on the resource, or ${setting} for all (default ${SETTINGS.operationTimeout.default}).`;
}

const name = ({ type, kind, resource_id, id }: Operation): string => `${type} ${kind} ${resource_id} (operation ${id})`;

/** The API accepted the request, but its operation failed. */
export class OperationFailedError extends CloudinfraError {
  readonly code = "OPERATION_FAILED";

  constructor(
    readonly operation: Operation,
    purpose?: string,
  ) {
    const reason = failureReason(operation);
    super(
      `${purpose === undefined ? "" : `${purpose}: `}the API accepted it, but ${name(operation)} failed: ` +
        (reason ?? "the API gave no reason."),
    );
  }
}

/** The operation did not end before the deadline. It may still be running at the API. */
export class OperationTimeoutError extends CloudinfraError {
  readonly code = "OPERATION_TIMEOUT";

  /** `cause`: the error of the last poll, if it failed. */
  constructor(
    readonly operation: Operation,
    waitedMs: number,
    { purpose, provider }: Pick<RequestLine, "purpose" | "provider">,
    options?: ErrorOptions,
  ) {
    super(
      `${purpose === undefined ? "" : `${purpose}: `}the API accepted it, but ${name(operation)} was still ` +
        `"${operation.status}" after ${Math.round(waitedMs / 1000)} s. It may end later: run again to go on waiting. ${howToRaise(provider)}`,
      options,
    );
  }
}
