import type { Dispatcher } from "undici";
import type { z } from "zod";
import { ConfigurationError } from "../../../api/errors";
import { classifyFailure } from "../../../api/errors/no-usable-response";
import { parseBaseUrl, type BaseUrl } from "../../../api/http/base-url";
import type { HttpResponse } from "../../../api/http/response";
import { createDispatcher, exchange, type EarlyEnd } from "../../../api/http/transport";
import { userAgent } from "../../../process/version";
import { parseJson } from "../../../text/json";
import { CommandFailure } from "../../command-failure";
import { isRecord } from "../../../definition/compare-values";
import { printable } from "../../../text/terminal-text";

export const PAGE_SIZE = 100;
/** No pull request has more pages. */
const MAX_PAGES = 100;
const TIMEOUT_MS = 30_000;
/** Enough for a page of the longest comments with every character escaped. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** A comment on a pull request, or a note on a merge request. */
interface HostComment {
  readonly id: number;
  readonly body: string;
  /** The account that wrote it. Undefined if that account no longer exists. */
  readonly author: string | undefined;
}

/** A code host's REST API for the comments on one pull request. Paths are relative to the API's address. */
interface CommentApi extends CodeHostWords {
  readonly url: string;
  readonly urlSource: readonly [variable: string, example: string];
  readonly headers: Readonly<Record<string, string>>;
  readonly noun: "comment" | "note";
  /** `pull request 7`. */
  readonly subject: string;
  /** The path to list and write comments. */
  readonly path: string;
  readonly firstPage: string;
  /** The query of the next page. Undefined after the last one. */
  readonly nextPage: (response: HttpResponse, page: number) => string | undefined;
  readonly page: z.ZodType<readonly HostComment[]>;
  readonly update: (id: number) => Pick<HostRequest, "method" | "path">;
  /** The address for a browser in the answer to a written comment. */
  readonly address: z.ZodType<string>;
  readonly user: z.ZodType<string>;
  /** True if the token of an app may not be allowed to ask for its account, such as the GITHUB_TOKEN of a workflow. */
  readonly mayHideUser: boolean;
}

/** `operation` is a verb phrase for messages. */
interface HostRequest {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: string;
  readonly body?: object;
}

/** The comments on one pull request or merge request. All methods reject with CommandFailure. */
export class Comments {
  readonly #baseUrl: BaseUrl;
  readonly #dispatcher: Dispatcher;

  constructor(private readonly api: CommentApi) {
    this.#baseUrl = baseUrlOf(api);
    this.#dispatcher = createDispatcher(this.#baseUrl);
  }

  /** Lists the comments of people and programs, the oldest first. */
  async list(): Promise<readonly HostComment[]> {
    const { name, noun, subject, path, firstPage, nextPage, page } = this.api;
    const operation = `read the ${noun}s on ${subject}`;
    const found: HostComment[] = [];
    const seen = new Set<string>();
    for (let query: string | undefined = firstPage; query !== undefined && !seen.has(query);) {
      if (seen.size === MAX_PAGES) {
        const reason = `${name} names a next page after ${MAX_PAGES} of ${PAGE_SIZE} ${noun}s`;
        throw new CommandFailure(`Could not ${operation}: ${reason}.`);
      }
      seen.add(query);
      const response = await this.#exchange({ operation, method: "GET", path: path + query });
      found.push(...this.#read(operation, response, page));
      query = nextPage(response, seen.size);
    }
    return found;
  }

  /** The account of the token. Undefined for an app that may not ask for it. */
  async me(): Promise<string | undefined> {
    try {
      return await this.#ask({ operation: "ask whose token this is", method: "GET", path: "/user" }, this.api.user);
    } catch (error) {
      const isRefused = error instanceof CodeHostError && !error.isRateLimit && error.status === 403;
      if (isRefused && this.api.mayHideUser) return undefined;
      throw error;
    }
  }

  /** Writes a comment. Resolves with its address. */
  create(body: string): Promise<string> {
    const { noun, subject, path, address } = this.api;
    return this.#ask({ operation: `write a ${noun} on ${subject}`, method: "POST", path, body: { body } }, address);
  }

  /**
   * Replaces the text of a comment. Rejects with CodeHostError if the comment belongs to somebody else or no longer
   * exists.
   */
  update(id: number, body: string): Promise<string> {
    const { noun, update, address } = this.api;
    return this.#ask({ ...update(id), operation: `change ${noun} ${id}`, body: { body } }, address);
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #ask<Answer>(request: HostRequest, shape: z.ZodType<Answer>): Promise<Answer> {
    return this.#read(request.operation, await this.#exchange(request), shape);
  }

  #read<Answer>(operation: string, response: HttpResponse, shape: z.ZodType<Answer>): Answer {
    const { status, text } = response;
    if (status < 200 || status > 299) throw codeHostError(operation, response, this.api);
    const read = shape.safeParse(parseJson(text));
    if (read.success) return read.data;
    throw new CommandFailure(`Could not ${operation}: the answer of ${this.#baseUrl.host} is not ${this.api.name}'s.`);
  }

  #exchange({ operation, method, path, body }: HostRequest): Promise<HttpResponse> {
    const request: Dispatcher.DispatchOptions = {
      origin: this.#baseUrl.origin,
      path: this.#baseUrl.prefix + path,
      method,
      headers: {
        ...this.api.headers,
        "user-agent": userAgent,
        ...(body && { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES };
    return exchange(this.#dispatcher, request, limits, (end) => this.#noAnswer(operation, end));
  }

  #noAnswer(operation: string, { reason, started, cause }: EarlyEnd): CodeHostError {
    const failure = `Could not ${operation}: ${this.#baseUrl.host}: `;
    if (reason === "too-large") return new CodeHostError(`${failure}its answer is too large.`, {}, { cause });
    const shown =
      reason === "timeout"
        ? `it did not answer within ${TIMEOUT_MS / 1_000} s`
        : `the connection failed (${classifyFailure(cause, started).code})`;
    const advice = `Check the network and ${this.api.urlSource[0]}, and run again.`;
    return new CodeHostError(`${failure}${shown}. ${advice}`, { retryAfterMs: 0 }, { cause });
  }
}

function baseUrlOf({ url, urlSource: [variable, example] }: CommentApi): BaseUrl {
  try {
    return parseBaseUrl(url);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const rule = "it must be https:// (or http:// on this machine) without a password";
    throw new CommandFailure(`${variable} cannot be used: ${rule}, such as ${example}.`, { cause: error });
  }
}

const MAX_REASON_LENGTH = 200;
const MAX_WAIT_MS = 30_000;

interface CodeHostWords {
  /** `GitHub`. */
  readonly name: string;
  readonly token: string;
  /** The advice after an answer with this status. `moved`: after a 3xx. */
  readonly advice: Readonly<Record<401 | 403 | 404 | "moved", string>>;
}

/** A failed request to a code host: the operation, the answer and the advice. */
export class CodeHostError extends CommandFailure {
  /** Undefined without an answer. */
  readonly status: number | undefined;
  readonly isRateLimit: boolean;
  /** The pause before the next attempt. Undefined if another attempt is useless. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    about: Partial<Pick<CodeHostError, "status" | "isRateLimit" | "retryAfterMs">>,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.status = about.status;
    this.isRateLimit = about.isRateLimit ?? false;
    this.retryAfterMs = about.retryAfterMs;
  }
}

/** The error for an unexpected answer. `operation` is a verb phrase for messages: `read the comments on …`. */
export function codeHostError(
  operation: string,
  { status, headers, text }: HttpResponse,
  { name, token, advice: byStatus }: CodeHostWords,
): CodeHostError {
  const isRateLimit =
    status === 429 || (status === 403 && (headers["x-ratelimit-remaining"] === "0" || "retry-after" in headers));
  const reason = messageIn(text).replaceAll(token, "[token]");
  const failure = `Could not ${operation}: ${name} answered ${status}${reason === "" ? "" : ` (${reason})`}.`;
  const other = status >= 300 && status < 400 ? byStatus.moved : (byStatus as Partial<Record<number, string>>)[status];
  const advice = isRateLimit ? rateLimitAdvice(headers) : status >= 500 ? "Try again." : (other ?? "");
  return new CodeHostError(`${failure} ${advice}`.trimEnd(), {
    status,
    isRateLimit,
    retryAfterMs: status >= 500 ? 0 : isRateLimit ? waitOf(headers) : undefined,
  });
}

function waitOf(headers: HttpResponse["headers"]): number | undefined {
  const afterMs = Number(headers["retry-after"]) * 1_000;
  return afterMs >= 0 && afterMs <= MAX_WAIT_MS ? afterMs : undefined;
}

function rateLimitAdvice(headers: HttpResponse["headers"]): string {
  const after = Number(headers["retry-after"]);
  if (after > 0) return `Its rate limit is used up: try again in ${after} s.`;
  const reset = Number(headers["x-ratelimit-reset"] ?? headers["ratelimit-reset"]);
  return reset > 0
    ? `Its rate limit is used up until ${new Date(reset * 1_000).toISOString()}.`
    : "Its rate limit is used up: try again later.";
}

/** The code host's own message: `message`, which may be an object at GitLab, or `error`. */
function messageIn(text: string): string {
  const answer = parseJson(text);
  const reason = isRecord(answer) ? (answer["message"] ?? answer["error"]) : undefined;
  if (reason === undefined || reason === null) return "";
  return printable(typeof reason === "string" ? reason : JSON.stringify(reason)).slice(0, MAX_REASON_LENGTH);
}
