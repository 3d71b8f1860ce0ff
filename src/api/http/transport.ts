import type * as Undici from "undici";
import type { BaseUrl } from "./base-url";
import { ConfigurationError, type RequestLine } from "../errors/cloudinfra-error";
import { AbortedError, ConnectionError, TimeoutError } from "../errors/connection-error";
import { classifyFailure } from "../errors/connection-error";
import type { Credential } from "./credentials";
import { exchange, ExchangeFailure, type HttpResponse } from "./exchange";
import { InvalidResponseError } from "../errors/invalid-response-error";

/** Enough for the engine's parallelism; more would only queue at the service. */
export const MAX_CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Whether requests may go through a proxy of the environment. It sees the bytes of a plain http:// request, credential
 * included; of an https:// one only the host.
 */
function isProxied({ origin, isLoopback }: BaseUrl, environment = process.env): boolean {
  if (isLoopback || !origin.startsWith("https:")) return false;
  return ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"].some((name) => (environment[name] ?? "") !== "");
}

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
  if (!isProxied(baseUrl)) return new Agent(options);
  try {
    return new EnvHttpProxyAgent(options);
  } catch {
    // Without its cause, which holds the text: there may be a password in it.
    throw new ConfigurationError(
      "The proxy in HTTPS_PROXY or HTTP_PROXY is not a URL: it has the form http://host:port.",
    );
  }
}

/** One attempt at a request. */
export interface Attempt {
  readonly line: RequestLine;
  /** Encoded, with the query. */
  readonly target: string;
  readonly body: string | undefined;
  readonly credential: Credential;
  /** A comment of the User-Agent. */
  readonly token?: string | undefined;
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
    const { line, target, body, credential, token, timeoutMs, signal } = attempt;
    const request: Undici.Dispatcher.DispatchOptions = {
      origin: this.baseUrl.origin,
      path: this.baseUrl.prefix + target,
      method: line.method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${credential.apiKey}`,
        "user-agent": token === undefined ? this.userAgent : `${this.userAgent} (${token})`,
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

  /** What stands at the other end, for messages: which of the two has failed, an error does not always say. */
  private get farEnd(): string {
    return isProxied(this.baseUrl) ? `${this.baseUrl.host} or the proxy in front of it` : this.baseUrl.host;
  }

  private explain({ reason, started, cause }: ExchangeFailure, line: RequestLine, timeoutMs: number): Error {
    const effect = started ? "unknown" : "none";
    switch (reason) {
      case "aborted":
        return new AbortedError(line, effect, { cause });
      case "timeout":
        return new TimeoutError(line, this.farEnd, timeoutMs, effect);
      case "too-large":
        return new InvalidResponseError(line, "too-large", `the answer is larger than ${MAX_RESPONSE_BYTES} bytes.`);
      case "connection":
        return new ConnectionError(line, this.farEnd, classifyFailure(cause, started), { cause });
    }
  }
}
