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
}

/**
 * An endpoint for advisory requests, below a collection or an object: `<collection>/cost`, `<object>/availability`.
 * Such a request changes nothing at the API.
 */
export class AdvisoryEndpoint {
  readonly #notOffered = new Set<AdvisoryRequest["method"]>();

  constructor(
    private readonly caller: Caller,
    private readonly nouns: string,
    private readonly at: "cost" | "availability",
  ) {}

  /** Rejects with NotOfferedError if the API has no such endpoint, and with NotFoundError if the owner is deleted. */
  async ask({ owner, ...request }: AdvisoryRequest, options?: CallOptions): Promise<ApiResponse> {
    const { method } = request;
    const { caller, nouns, at } = this;
    if (this.#notOffered.has(method)) throw new NotOfferedError(nouns, at);
    const send = (): Promise<ApiResponse> =>
      caller.request({ ...request, path: [...request.path, at], idempotent: true }, options);
    try {
      return await retryNotFound(caller.clock, send);
    } catch (error) {
      if (!(await this.#meansNoEndpoint(error, owner, options))) throw error;
      this.#notOffered.add(method);
      throw new NotOfferedError(nouns, at, { cause: error });
    }
  }

  /**
   * 405 and 501 mean that there is no such endpoint. A 404 means it only if the owner exists or, without one, if the
   * base URL is known to be right. Rejects with the owner's NotFoundError if the owner no longer exists. If reading the
   * owner fails otherwise, the first error counts.
   */
  async #meansNoEndpoint(error: unknown, owner: AdvisoryRequest["owner"], options: CallOptions = {}): Promise<boolean> {
    if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return true;
    if (!(error instanceof NotFoundError)) return false;
    if (owner === undefined) {
      await this.caller.confirmBaseUrl(error, options);
      return true;
    }
    try {
      await this.caller.request({ method: "GET", path: owner }, options);
      return true;
    } catch (failure) {
      if (failure instanceof NotFoundError || failure instanceof NotTheApiError) throw failure;
      return false;
    }
  }
}
