import {
  ApiError,
  BadRequestError,
  ConnectionError,
  NotFoundError,
  NotTheApiError,
  QuoteNotOfferedError,
  TimeoutError,
} from "../api/errors";
import type { Refusal } from "./cost";

/** The time limit of one question, including all attempts, because a preview must not wait for prices and opinions. */
export const QUESTION_DEADLINE_MS = 2_000;

/** Whether the fault is with the service or the way to it, not with the request. */
export function isFailure(error: unknown): boolean {
  if (isForeign(error)) return true;
  return !(error instanceof QuoteNotOfferedError || (error instanceof ApiError && error.status < 500));
}

/** Whether it is the API's own objection to the request: a proxy knows nothing of it. A NotFoundError is always the API's. */
export function isRefusal(error: unknown): error is BadRequestError | NotFoundError {
  return error instanceof NotFoundError || (error instanceof BadRequestError && !isForeign(error));
}

/** Whether something else has answered 4xx: the API's own errors have a type (specification section 7.1). */
export function isForeign(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.type === undefined;
}

/** The objections of the service. */
export function refusalOf(error: BadRequestError | NotFoundError): Refusal {
  const words = error.message.split("\n")[0] ?? "";
  if (error instanceof NotFoundError) return { words, isAboutPath: true, faults: [] };
  const faults = Object.entries(error.parameters).map(([member, reason]) => ({ member, reason }));
  return { words, isAboutPath: false, faults };
}

/** The words of an error, with advice. */
export function messageOf(error: unknown): string | undefined {
  return error instanceof Error ? error.message : undefined;
}

/** Why there is no answer, short enough for a row. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return `the service did not answer within ${QUESTION_DEADLINE_MS / 1000} s`;
  if (error instanceof ConnectionError) return "the service could not be reached";
  if (error instanceof NotTheApiError) return "404, and not from the API: check the base URL (cloudinfra doctor)";
  if (error instanceof ApiError && isForeign(error))
    return `${error.status}, and not from the API: check the base URL (cloudinfra doctor)`;
  if (error instanceof ApiError) return `the service answered ${error.status} ${error.type ?? ""}`.trimEnd();
  return error instanceof Error ? error.message : String(error);
}
