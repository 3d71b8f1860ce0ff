import type { CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { ApiError, NotFoundError, NotOfferedError, NotTheApiError } from "./errors";
import { retryNotFound } from "./not-found";
import type { ApiResponse } from "./http/response";

/**
 * An advisory request. POST asks about a creation in the collection at `path`, PATCH about a change of the object at
 * `path`.
 */
export interface AdvisoryRequest {
  readonly method: "POST" | "PATCH";
  readonly path: readonly string[];
  readonly body: object;
  /**
   * For a PATCH: the path of the object. For a POST: the path of the object that contains the collection. Undefined if
   * there is none.
   */
  readonly owner: readonly string[] | undefined;
  /** The endpoint below the collection or the object. */
  readonly at: "cost" | "availability";
  /** The words for the objects. All collections of a kind have the same endpoints. */
  readonly nouns: string;
}

/**
 * Sends an advisory request to an endpoint below a collection or an object: `<collection>/cost`,
 * `<object>/availability`. It changes nothing at the API. Rejects with NotOfferedError if the API has no such endpoint,
 * and with NotFoundError if the owner is deleted.
 */
export async function askAdvisory(
  caller: Caller,
  { owner, at, nouns, ...request }: AdvisoryRequest,
  options?: CallOptions,
): Promise<ApiResponse> {
  const endpoint = `${request.method} ${nouns}/${at}`;
  if (caller.notOffered.has(endpoint)) throw new NotOfferedError(nouns, at);
  const send = (): Promise<ApiResponse> =>
    caller.request({ ...request, path: [...request.path, at], idempotent: true }, options);
  try {
    return await retryNotFound(caller.clock, send);
  } catch (error) {
    if (!(await meansNoEndpoint(caller, error, owner, options))) throw error;
    caller.notOffered.add(endpoint);
    throw new NotOfferedError(nouns, at, { cause: error });
  }
}

/**
 * 405 and 501 mean that there is no such endpoint. A 404 means it only if the owner exists or, without one, if the base
 * URL is known to be right. Rejects with the owner's NotFoundError if the owner no longer exists. If reading the owner
 * fails otherwise, the first error counts.
 */
async function meansNoEndpoint(
  caller: Caller,
  error: unknown,
  owner: AdvisoryRequest["owner"],
  options: CallOptions = {},
): Promise<boolean> {
  if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return true;
  if (!(error instanceof NotFoundError)) return false;
  if (owner === undefined) {
    await caller.confirmBaseUrl(error, options);
    return true;
  }
  try {
    await caller.request({ method: "GET", path: owner }, options);
    return true;
  } catch (failure) {
    if (failure instanceof NotFoundError || failure instanceof NotTheApiError) throw failure;
    return false;
  }
}
