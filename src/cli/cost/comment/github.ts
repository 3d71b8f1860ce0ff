import type { Dispatcher } from "undici";
import { z } from "zod";
import { encodePath, parseBaseUrl, type BaseUrl } from "../../../api/base-url";
import { classifyFailure } from "../../../api/connection-failure";
import { ConfigurationError } from "../../../api/errors";
import { exchange, ExchangeFailure, type HttpResponse } from "../../../api/exchange";
import { createDispatcher } from "../../../api/transport";
import { version } from "../../../version";
import { CommandFailure } from "../../command-failure";
import { githubError } from "./github-error";

/** A comment on a pull request. */
export interface GithubComment {
  readonly id: number;
  readonly body: string;
}

/** Where comments are kept, and who keeps them. */
export interface GithubPlace {
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  readonly pullRequest: number;
  readonly token: string;
}

const TIMEOUT_MS = 30_000;
const PAGE_SIZE = 100;
/** A page of comments, each as long as GitHub lets it be, with every character escaped. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

const comments = z.array(z.looseObject({ id: z.number().int(), body: z.string().nullish() }));
const written = z.looseObject({ html_url: z.string() });

/** The comments on one pull request, through GitHub's REST API. Every call rejects with CommandFailure. */
export class GithubComments {
  readonly #baseUrl: BaseUrl;
  readonly #dispatcher: Dispatcher;
  readonly #place: GithubPlace;

  constructor(place: GithubPlace) {
    this.#baseUrl = apiUrl(place.apiUrl);
    this.#dispatcher = createDispatcher(this.#baseUrl);
    this.#place = place;
  }

  /** All comments, the oldest first. */
  async list(): Promise<readonly GithubComment[]> {
    const { pullRequest } = this.#place;
    const found: GithubComment[] = [];
    const what = `read the comments on pull request ${pullRequest}`;
    let next: string | undefined = `${this.#prefix()}/issues/${pullRequest}/comments?per_page=${PAGE_SIZE}`;
    const seen = new Set<string>();
    while (next !== undefined && !seen.has(next)) {
      seen.add(next);
      const response: HttpResponse = await this.#call(what, "GET", next);
      const page = this.#read(what, response, comments);
      found.push(...page.map(({ id, body }) => ({ id, body: body ?? "" })));
      next = nextPage(response);
    }
    return found;
  }

  /** Writes a comment. Resolves with the address that a browser shows it at. */
  async create(body: string): Promise<string> {
    const { pullRequest } = this.#place;
    const what = `comment on pull request ${pullRequest}`;
    const response = await this.#call(what, "POST", `${this.#prefix()}/issues/${pullRequest}/comments`, { body });
    return this.#read(what, response, written).html_url;
  }

  /** Puts another text into a comment. Rejects with GithubError where it is somebody else's, or there no more. */
  async update(id: number, body: string): Promise<string> {
    const what = `change comment ${id}`;
    const response = await this.#call(what, "PATCH", `${this.#prefix()}/issues/comments/${id}`, { body });
    return this.#read(what, response, written).html_url;
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  #prefix(): string {
    return `${this.#baseUrl.prefix}/repos${encodePath(this.#place.repository.split("/"))}`;
  }

  async #call(what: string, method: Dispatcher.HttpMethod, path: string, body?: object): Promise<HttpResponse> {
    const request: Dispatcher.DispatchOptions = {
      origin: this.#baseUrl.origin,
      path,
      method,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${this.#place.token}`,
        "user-agent": `pulumi-cloudinfra/${version}`,
        "x-github-api-version": "2022-11-28",
        ...(body && { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    try {
      return await exchange(this.#dispatcher, request, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
    } catch (error) {
      throw error instanceof ExchangeFailure ? this.#noAnswer(what, error) : error;
    }
  }

  #noAnswer(what: string, { reason, started, cause }: ExchangeFailure): CommandFailure {
    const why =
      reason === "timeout"
        ? `it did not answer within ${TIMEOUT_MS / 1_000} s`
        : reason === "too-large"
          ? "its answer is too large"
          : `the connection failed (${classifyFailure(cause, started).code})`;
    return new CommandFailure(`Could not ${what}: ${this.#baseUrl.host}: ${why}.`, { cause });
  }

  #read<Answer>(what: string, response: HttpResponse, schema: z.ZodType<Answer>): Answer {
    const { status, text } = response;
    if (status < 200 || status > 299) throw githubError(what, response, this.#place.token);
    const answer = schema.safeParse(jsonOf(text));
    if (answer.success) return answer.data;
    throw new CommandFailure(`Could not ${what}: what ${this.#baseUrl.host} answered is not GitHub's.`);
  }
}

/** The path of the next page: it is asked for where the first one was, whatever host the answer names. */
function nextPage({ headers }: HttpResponse): string | undefined {
  const link = [headers["link"] ?? []].flat().join(", ");
  const [, address = ""] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(link) ?? [];
  if (!URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function apiUrl(text: string): BaseUrl {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandFailure(
      "GITHUB_API_URL cannot be used: it has to be https:// (or http:// on this machine) without a password, such as https://api.github.com.",
      { cause: error },
    );
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
