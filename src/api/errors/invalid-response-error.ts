import { RequestError, describeRequest, type RequestLine } from "./cloudinfra-error";

/** What is wrong with an answer: not JSON at all, JSON that is cut short, too large, empty, an endless list, a member missing or mistyped, or another dialect's name for it. */
export type ResponseDefect = "not-json" | "cut-short" | "too-large" | "empty" | "endless" | "schema" | "other-dialect";

/** A success status whose body cannot be used: the request was probably carried out. */
export class InvalidResponseError extends RequestError {
  readonly code = "INVALID_RESPONSE";
  readonly defect: ResponseDefect;

  constructor(line: RequestLine, defect: ResponseDefect, explanation: string) {
    super(`${describeRequest(line)}: ${explanation}`, line, "unknown");
    this.defect = defect;
  }
}
