import type * as Undici from "undici";
import type { BaseUrl } from "./base-url";
import type { RequestLine } from "./cloudinfra-error";
import { AbortedError, ConnectionError, TimeoutError } from "./connection-error";
import { classifyFailure } from "./connection-failure";
import type { Credential } from "./credentials";
import { exchange, ExchangeFailure, type HttpResponse } from "./exchange";
import { InvalidResponseError } from "./invalid-response-error";

/** Enough for the engine's parallelism; more would only queue at the service. */
export const MAX_CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/** Connections that stay open for the next request. HTTP/1.1 only: there a request is either sent or it is not. */
export function createDispatcher(baseUrl: BaseUrl): Undici.Dispatcher {
  const options = {
    connections: MAX_CONNECTIONS,
    allowH2: false,
    // The time limit of an exchange covers both; these would only hide which limit was hit.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: CONNECT_TIMEOUT_MS },
  } satisfies Undici.Agent.Options;
  // Loaded with the first request: a preview without a change makes none.
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- a native import() is of no use to jest
  const { Agent, EnvHttpProxyAgent } = require("undici") as typeof Undici;
  // A proxy sees the bytes of a plain http:// request, credential included; of an https:// one only the host.
  const mayBeProxied = !baseUrl.isLoopback && baseUrl.origin.startsWith("https:");
  return mayBeProxied ? new EnvHttpProxyAgent(options) : new Agent(options);
}

/** One attempt at a request. */
export interface Attempt {
  readonly line: RequestLine;
  /** Encoded, with the query. */
  readonly target: string;
  readonly body: string | undefined;
  readonly credential: Credential;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** Sends single attempts; knows no retries. */
export class Transport {
  constructor(
    private readonly baseUrl: BaseUrl,
    private readonly dispatcher: () => Undici.Dispatcher,
    private readonly userAgent: string,
  ) {}

  /** Resolves with any response, whatever its status. Rejects with a RequestError. */
  async send(attempt: Attempt): Promise<HttpResponse> {
    const { line, target, body, credential, timeoutMs, signal } = attempt;
    const request: Undici.Dispatcher.DispatchOptions = {
      origin: this.baseUrl.origin,
      path: this.baseUrl.prefix + target,
      method: line.method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${credential.apiKey}`,
        "user-agent": this.userAgent,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body ?? null,
    };
    try {
      return await exchange(this.dispatcher(), request, { timeoutMs, maxBytes: MAX_RESPONSE_BYTES, signal });
    } catch (error) {
      throw error instanceof ExchangeFailure ? this.explain(error, line, timeoutMs) : error;
    }
  }

  private explain({ reason, started, cause }: ExchangeFailure, line: RequestLine, timeoutMs: number): Error {
    const effect = started ? "unknown" : "none";
    switch (reason) {
      case "aborted":
        return new AbortedError(line, effect, { cause });
      case "timeout":
        return new TimeoutError(line, this.baseUrl.host, timeoutMs, effect);
      case "too-large":
        return new InvalidResponseError(line, "too-large", `the answer is larger than ${MAX_RESPONSE_BYTES} bytes.`);
      case "connection":
        return new ConnectionError(line, this.baseUrl.host, classifyFailure(cause, started), { cause });
    }
  }
}
