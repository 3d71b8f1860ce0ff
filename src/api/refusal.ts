import { ApiError, BadRequestError, NotFoundError, QuoteNotOfferedError } from "./errors";

/** The service's objections to a proposal. */
export interface Refusal {
  /** The service's own words. */
  readonly words: string;
  /** The missing object, if the path leads through one. Otherwise the objection is about the body. */
  readonly isAboutPath: boolean;
  /** The service's names of the wrong members of the body. Empty if it gives none. */
  readonly faults: readonly { readonly member: string; readonly reason: string }[];
}

/** The API's own objections to the request: a proxy knows nothing of it. A NotFoundError is always the API's. */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof NotFoundError) return { words: wordsOf(error), isAboutPath: true, faults: [] };
  if (!(error instanceof BadRequestError) || isForeign(error)) return undefined;
  const faults = Object.entries(error.parameters).map(([member, reason]) => ({ member, reason }));
  return { words: wordsOf(error), isAboutPath: false, faults };
}

/** Whether something else has answered 4xx: the API's own errors have a type (specification section 7.1). */
export function isForeign(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.type === undefined;
}

/** Whether the fault is with the service or the way to it, not with the request. */
export function isFailure(error: unknown): boolean {
  if (isForeign(error)) return true;
  return !(error instanceof QuoteNotOfferedError || (error instanceof ApiError && error.status < 500));
}

/** The words of an error, without advice. */
export function wordsOf({ message }: ApiError): string {
  return message.split("\n")[0] ?? "";
}
