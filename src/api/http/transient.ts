import { ApiError } from "../errors/api-error";
import { ConnectionError, TimeoutError } from "../errors/connection-error";
import { InvalidResponseError } from "../errors/invalid-response-error";
import { isTransientStatus } from "./retry";

/** Whether asking the same again may fare better. Whether it may be asked again is another question: see `retry`. */
export function isTransient(error: unknown): boolean {
  if (error instanceof ConnectionError) return error.failure !== "tls";
  if (error instanceof InvalidResponseError) return error.defect === "cut-short";
  if (error instanceof ApiError) return isTransientStatus(error.status);
  return error instanceof TimeoutError;
}

/** The status of an error response; `undefined` where there was none. */
export function statusOf(error: unknown): number | undefined {
  return error instanceof ApiError ? error.status : undefined;
}
