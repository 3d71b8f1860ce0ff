import type { CallOptions } from "./http/request";
import type { Caller } from "./http/caller";
import { ApiError, NotFoundError } from "./errors/api-error";
import { NotTheApiError } from "./errors/not-the-api-error";
import type { Answer } from "./http/answer";

type Path = readonly string[];

/** There is no such endpoint. */
export interface NotOffered {
  readonly isOffered: false;
  /** The answer that showed it. */
  readonly cause?: unknown;
}

/**
 * An endpoint for questions about a creation or a change, beside the endpoint that makes it: `<collection>/cost`,
 * `<object>/availability`. A question changes nothing at the service.
 */
export class AdvisoryEndpoint {
  readonly #notOffered = new Set<"POST" | "PATCH">();

  constructor(
    private readonly caller: Caller,
    private readonly at: "cost" | "availability",
    isOffered = true,
  ) {
    if (!isOffered) this.#notOffered.add("POST").add("PATCH");
  }

  /** `owner`: the path of the object that contains the collection, if there is one. */
  ofCreation(
    collection: Path,
    owner: Path | undefined,
    body: object,
    call?: CallOptions,
  ): Promise<Answer | NotOffered> {
    return this.#ask("POST", collection, owner, body, call);
  }

  /** Rejects with NotFoundError if the object itself is gone. */
  ofUpdate(object: Path, body: object, call?: CallOptions): Promise<Answer | NotOffered> {
    return this.#ask("PATCH", object, object, body, call);
  }

  async #ask(
    method: "POST" | "PATCH",
    subject: Path,
    holder: Path | undefined,
    body: object,
    call?: CallOptions,
  ): Promise<Answer | NotOffered> {
    if (this.#notOffered.has(method)) return { isOffered: false };
    try {
      return await this.caller.request({ method, path: [...subject, this.at], body, idempotent: true }, call);
    } catch (error) {
      if (!(await this.#meansNoEndpoint(error, holder, call))) throw error;
      this.#notOffered.add(method);
      return { isOffered: false, cause: error };
    }
  }

  /**
   * 405 and 501 mean that there is no such endpoint. A 404 means it only if the object in the path exists or, without one, if
   * the base URL is known to be right. Rejects with the NotFoundError of the object if that is gone. If this cannot be found
   * out, the first error counts.
   */
  async #meansNoEndpoint(error: unknown, holder: Path | undefined, call: CallOptions = {}): Promise<boolean> {
    if (error instanceof ApiError && (error.status === 405 || error.status === 501)) return true;
    if (!(error instanceof NotFoundError)) return false;
    if (holder === undefined) {
      await this.caller.confirmBaseUrl(error, call);
      return true;
    }
    try {
      await this.caller.request({ method: "GET", path: holder }, call);
      return true;
    } catch (gone) {
      if (gone instanceof NotFoundError || gone instanceof NotTheApiError) throw gone;
      return false;
    }
  }
}
