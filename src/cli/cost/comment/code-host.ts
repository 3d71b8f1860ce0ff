import type { Dispatcher } from "undici";
import type { z } from "zod";
import { parseBaseUrl, type BaseUrl } from "../../../api/http/base-url";
import { classifyFailure } from "../../../api/errors/connection-error";
import { ConfigurationError } from "../../../api/errors";
import type { HttpResponse } from "../../../api/http/response";
import { createDispatcher, exchange, ExchangeFailure } from "../../../api/http/transport";
import { parseJson } from "../../../text/json";
import { version } from "../../../process/version";
import { CommandFailure } from "../../command-failure";
import { CodeHostError, codeHostError, type CodeHostWords } from "./code-host-error";

/** How to reach the REST API of a code host. */
interface CodeHostAccess extends CodeHostWords {
  readonly apiUrl: string;
  /** The environment variable of the address, and an example. */
  readonly apiUrlSource: readonly [variable: string, example: string];
  /** The header with the token, and the other headers of each request. */
  readonly headers: Readonly<Record<string, string>>;
}

/** `operation` continues "could not". */
interface CodeHostRequest {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT";
  readonly path: string;
  readonly body?: object;
}

/** A checked answer, and its response. */
export interface CodeHostAnswer<Answer> {
  readonly answer: Answer;
  readonly response: HttpResponse;
}

const TIMEOUT_MS = 30_000;
/** A page of comments, each as long as possible, with every character escaped. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** The REST API of GitHub or GitLab. Every call rejects with CommandFailure. */
export class CodeHost {
  readonly #baseUrl: BaseUrl;
  readonly #dispatcher: Dispatcher;

  constructor(private readonly access: CodeHostAccess) {
    this.#baseUrl = baseUrlOf(access);
    this.#dispatcher = createDispatcher(this.#baseUrl);
  }

  get name(): string {
    return this.access.name;
  }

  /** The part before the path of every request. */
  get prefix(): string {
    return this.#baseUrl.prefix;
  }

  async ask<Answer>(request: CodeHostRequest, schema: z.ZodType<Answer>): Promise<CodeHostAnswer<Answer>> {
    const response = await this.#exchange(request);
    const { status, text } = response;
    const { operation } = request;
    if (status < 200 || status > 299) throw codeHostError(operation, response, this.access);
    const read = schema.safeParse(parseJson(text));
    if (read.success) return { answer: read.data, response };
    throw new CommandFailure(`Could not ${operation}: the answer of ${this.#baseUrl.host} is not ${this.name}'s.`);
  }

  close(): Promise<void> {
    return this.#dispatcher.close();
  }

  async #exchange({ operation, method, path, body }: CodeHostRequest): Promise<HttpResponse> {
    const request: Dispatcher.DispatchOptions = {
      origin: this.#baseUrl.origin,
      path,
      method,
      headers: {
        ...this.access.headers,
        "user-agent": `pulumi-cloudinfra/${version}`,
        ...(body && { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    try {
      return await exchange(this.#dispatcher, request, { timeoutMs: TIMEOUT_MS, maxBytes: MAX_RESPONSE_BYTES });
    } catch (error) {
      throw error instanceof ExchangeFailure ? this.#noAnswer(operation, error) : error;
    }
  }

  #noAnswer(operation: string, { reason, started, cause }: ExchangeFailure): CodeHostError {
    const why =
      reason === "timeout"
        ? `it did not answer within ${TIMEOUT_MS / 1_000} s`
        : reason === "too-large"
          ? "its answer is too large"
          : `the connection failed (${classifyFailure(cause, started).code})`;
    const failure = `Could not ${operation}: ${this.#baseUrl.host}: ${why}.`;
    if (reason === "too-large") return new CodeHostError(failure, {}, { cause });
    const advice = `Check the network and ${this.access.apiUrlSource[0]}, and run again.`;
    return new CodeHostError(`${failure} ${advice}`, { retryAfterMs: 0 }, { cause });
  }
}

function baseUrlOf({ apiUrl, apiUrlSource: [variable, example] }: CodeHostAccess): BaseUrl {
  try {
    return parseBaseUrl(apiUrl);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new CommandFailure(
      `${variable} cannot be used: it must be https:// (or http:// on this machine) without a password, such as ${example}.`,
      { cause: error },
    );
  }
}
