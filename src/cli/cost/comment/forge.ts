import type { Dispatcher } from "undici";
import type { z } from "zod";
import { parseBaseUrl, type BaseUrl } from "../../../api/http/base-url";
import { classifyFailure } from "../../../api/errors/connection-error";
import { ConfigurationError } from "../../../api/errors";
import type { HttpResponse } from "../../../api/http/response";
import { createDispatcher, exchange, ExchangeFailure } from "../../../api/http/transport";
import { version } from "../../../process/version";
import { CommandFailure } from "../../command-failure";
import { ForgeError, forgeError, type ForgeWords } from "./forge-error";

/** The address of a forge's REST API, and its caller. */
export interface ForgeAccess extends ForgeWords {
  readonly apiUrl: string;
  /** The environment variable of the address, and an example. */
  readonly apiUrlSource: readonly [variable: string, example: string];
  readonly token: string;
  /** The header with the token, and the other headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A request: its purpose, in words that continue "could not", and its parts. */
export interface ForgeRequest {
  readonly what: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: string;
  readonly body?: object;
}

/** A checked answer, and its response. */
export interface ForgeAnswer<Answer> {
  readonly answer: Answer;
  readonly response: HttpResponse;
}

const TIMEOUT_MS = 30_000;
/** A page of comments, each as long as possible, with every character escaped. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** A forge's REST API: GitHub's or GitLab's. Every call rejects with CommandFailure. */
export class Forge {
  readonly #baseUrl: BaseUrl;
  readonly #dispatcher: Dispatcher;
  readonly #access: ForgeAccess;

  constructor(access: ForgeAccess) {
    this.#baseUrl = apiUrl(access);
    this.#dispatcher = createDispatcher(this.#baseUrl);
    this.#access = access;
  }

  /** The part before the path of every request. */
  get prefix(): string {
    return this.#baseUrl.prefix;
  }

  /** One request and its checked answer. */
  async ask<Answer>(request: ForgeRequest, schema: z.ZodType<Answer>): Promise<ForgeAnswer<Answer>> {
    const response = await this.#exchange(request);
    const { status, text } = response;
    const { what } = request;
    if (status < 200 || status > 299) throw forgeError(what, response, this.#access.token, this.#access);
    const read = schema.safeParse(jsonOf(text));
    if (read.success) return { answer: read.data, response };
    throw new CommandFailure(`Could not ${what}: the answer of ${this.#baseUrl.host} is not ${this.#access.name}'s.`);
  }

  async close(): Promise<void> {
    await this.#dispatcher.close();
  }

  async #exchange({ what, method, path, body }: ForgeRequest): Promise<HttpResponse> {
    const request: Dispatcher.DispatchOptions = {
      origin: this.#baseUrl.origin,
      path,
      method,
      headers: {
        ...this.#access.headers,
        "user-agent": `pulumi-cloudinfra/${version}`,
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

  #noAnswer(what: string, { reason, started, cause }: ExchangeFailure): ForgeError {
    const why =
      reason === "timeout"
        ? `it did not answer within ${TIMEOUT_MS / 1_000} s`
        : reason === "too-large"
          ? "its answer is too large"
          : `the connection failed (${classifyFailure(cause, started).code})`;
    const isPassing = reason !== "too-large";
    return new ForgeError(`Could not ${what}: ${this.#baseUrl.host}: ${why}.`, isPassing ? { retryAfterMs: 0 } : {}, {
      cause,
    });
  }
}

/** The path of the next page. The request goes to the same host, even if the answer names another. */
export function nextPage({ headers }: HttpResponse): string | undefined {
  const link = [headers["link"] ?? []].flat().join(", ");
  const [, address = ""] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(link) ?? [];
  if (!URL.canParse(address)) return undefined;
  const { pathname, search } = new URL(address);
  return pathname + search;
}

function apiUrl({ apiUrl: text, apiUrlSource: [variable, example] }: ForgeAccess): BaseUrl {
  try {
    return parseBaseUrl(text);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandFailure(
      `${variable} cannot be used: it must be https:// (or http:// on this machine) without a password, such as ${example}.`,
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
