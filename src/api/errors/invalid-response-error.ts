import { RequestError, describeRequest, type RequestLine } from "./cloudinfra-error";

/**
 * The fault of an answer: not JSON, JSON that is cut off, too large, empty, an endless list, a missing or mistyped member, or
 * a name of the other dialect.
 */
export type ResponseDefect = "not-json" | "cut-short" | "too-large" | "empty" | "endless" | "schema" | "other-dialect";

/** A success status with an unusable body. The request was probably carried out. */
export class InvalidResponseError extends RequestError {
  readonly code = "INVALID_RESPONSE";
  readonly defect: ResponseDefect;

  constructor(line: RequestLine, defect: ResponseDefect, explanation: string) {
    super(`${describeRequest(line)}: ${explanation}`, line, "unknown");
    this.defect = defect;
  }
}
