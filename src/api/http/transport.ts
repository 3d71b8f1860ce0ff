import type * as Undici from "undici";
import type { Dispatcher } from "undici";
import type { BaseUrl } from "./base-url";
import {
  classifyFailure,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  type RequestLine,
  type TimeLimit,
  TimeoutError,
} from "../errors";
import type { Credential } from "./credentials";
import type { HttpResponse } from "./response";

/** Enough for the engine's parallelism. More requests would only wait at the API. */
export const MAX_CONNECTIONS = 32;
const CONNECT_TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

/**
 * Whether requests may use a proxy of the environment. A proxy sees everything of an http:// request, including the
 * credential, but only the host of an https:// one.
 */
function isProxied({ origin, isLoopback }: BaseUrl, environment = process.env): boolean {
  if (isLoopback || !origin.startsWith("https:")) return false;
  const { https_proxy, HTTPS_PROXY, http_proxy, HTTP_PROXY } = environment;
  return Boolean((https_proxy ?? HTTPS_PROXY) || (http_proxy ?? HTTP_PROXY)); // in undici's order
}

/**
 * Connections that stay open for the next request. HTTP/1.1 only, because there it is known whether a request was sent.
 */
export function createDispatcher(baseUrl: BaseUrl, connectTimeoutMs = CONNECT_TIMEOUT_MS): Undici.Dispatcher {
  const options = {
    connections: MAX_CONNECTIONS,
    allowH2: false,
    // The time limit of an exchange covers both. These limits would hide it.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: { timeout: connectTimeoutMs },
  } satisfies Undici.Agent.Options;
  // Loaded with the first request, because a preview without a change makes none.
  const { Agent, EnvHttpProxyAgent, Pool } = require("undici") as typeof Undici;
  if (!isProxied(baseUrl)) return new Agent(options);
  // Without a limit, a proxy that does not answer would hold the slot of the connection even after the request has
  // ended.
  const clientFactory = (proxy: URL, given: object): Undici.Pool =>
    new Pool(proxy, { ...given, headersTimeout: connectTimeoutMs });
  try {
    return new EnvHttpProxyAgent({ ...options, clientFactory });
  } catch {
    // Without the cause, whose text may contain the proxy's password.
    throw new ConfigurationError(
      "The proxy in HTTPS_PROXY or HTTP_PROXY is not a URL: it must have the form http://host:port.",
    );
  }
}

export interface Attempt {
  readonly line: RequestLine;
  /** Encoded, with the query. */
  readonly target: string;
  readonly body: string | undefined;
  readonly credential: Credential;
  readonly comment?: string | undefined;
  readonly timeoutMs: number;
  readonly namedLimit: TimeLimit;
}

/** Sends single attempts, without retries. */
export class Transport {
  constructor(
    private readonly baseUrl: BaseUrl,
    private readonly dispatcher: () => Undici.Dispatcher,
    private readonly userAgent: string,
  ) {}

  /** Resolves with any response. Rejects with a RequestError. */
  async send(attempt: Attempt): Promise<HttpResponse> {
    const { line, target, body, credential, comment, timeoutMs, namedLimit } = attempt;
    const request: Undici.Dispatcher.DispatchOptions = {
      origin: this.baseUrl.origin,
      path: this.baseUrl.prefix + target,
      method: line.method,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${credential.apiKey}`,
        "user-agent": comment === undefined ? this.userAgent : `${this.userAgent} (${comment})`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body ?? null,
    };
    const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES };
    return exchange(this.dispatcher(), request, limits, (end) => this.explain(end, line, namedLimit));
  }

  /** The API, or the proxy in front of it, for messages. An error does not always say which of the two failed. */
  private get farEnd(): string {
    return isProxied(this.baseUrl) ? `${this.baseUrl.host} or the proxy in front of it` : this.baseUrl.host;
  }

  private explain({ reason, started, cause }: EarlyEnd, line: RequestLine, namedLimit: TimeLimit): Error {
    const effect = started ? "unknown" : "none";
    switch (reason) {
      case "timeout":
        return new TimeoutError(line, this.farEnd, namedLimit, effect);
      case "too-large":
        return new InvalidResponseError(line, "too-large", `the answer is larger than ${MAX_RESPONSE_BYTES} bytes.`);
      case "connection":
        return new ConnectionError(line, this.farEnd, classifyFailure(cause, started), { cause });
    }
  }
}

/** An exchange ended without a complete response. `started`: its first byte was sent. */
export interface EarlyEnd {
  readonly reason: "timeout" | "too-large" | "connection";
  readonly started: boolean;
  readonly cause: unknown;
}

interface ExchangeLimits {
  /** The time limit, from now until the last byte of the response. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * One request and its response. It uses the dispatcher directly, because only the dispatcher shows when a request is
 * sent: an earlier failure had no effect. Rejects only with what `errorOf` makes.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBytes }: ExchangeLimits,
  errorOf: (end: EarlyEnd) => Error,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<HttpResponse, "text"> | undefined;
    let ended: Error | undefined;
    let isAnswered = false;
    const chunks: Buffer[] = [];
    let bytes = 0;

    // If the process was stopped meanwhile, the answer to a request that was sent may have arrived. Node runs timers
    // before it reads, so this lets it read first.
    const timer = setTimeout(() => {
      if (controller) setImmediate(() => setImmediate(fail, "timeout"));
      else fail("timeout");
    }, timeoutMs);
    function fail(reason: EarlyEnd["reason"], cause?: unknown): void {
      if (ended || isAnswered) return;
      ended = errorOf({ reason, started: controller !== undefined, cause });
      clearTimeout(timer);
      reject(ended);
      if (reason !== "connection") controller?.abort(ended);
    }

    dispatcher.dispatch(request, {
      onRequestStart(started) {
        if (ended) started.abort(ended);
        else controller = started;
      },
      onResponseStart(_controller, status, headers) {
        if (status >= 200) head = { status, headers };
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (bytes > maxBytes) fail("too-large");
        else chunks.push(chunk);
      },
      onResponseEnd() {
        if (ended || !head) return;
        isAnswered = true;
        clearTimeout(timer);
        resolve({ ...head, text: Buffer.concat(chunks).toString("utf8") });
      },
      onResponseError: (_controller, error) => fail("connection", error),
    });
  });
}
