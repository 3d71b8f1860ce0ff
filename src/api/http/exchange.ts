import type { Dispatcher } from "undici";

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** The end of an exchange without a complete response. `started`: the request was being sent. */
export class ExchangeFailure extends Error {
  constructor(
    readonly reason: "aborted" | "timeout" | "too-large" | "connection",
    readonly started: boolean,
    cause?: unknown,
  ) {
    super(reason, { cause });
  }
}

export interface ExchangeLimits {
  /** From now until the last byte of the body. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One request and its response. It uses the dispatcher directly, because only that shows when a request is sent. A failure
 * before that had no effect. Rejects with ExchangeFailure only.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  { timeoutMs, maxBytes, signal }: ExchangeLimits,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let head: Omit<HttpResponse, "text"> | undefined;
    let ended: Error | undefined;
    const chunks: Buffer[] = [];
    let bytes = 0;

    const timer = setTimeout(() => fail("timeout"), timeoutMs);
    const onAbort = (): void => fail("aborted", signal?.reason);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    function fail(reason: ExchangeFailure["reason"], cause?: unknown): void {
      if (ended) return;
      ended = new ExchangeFailure(reason, controller !== undefined, cause);
      settle();
      reject(ended);
      if (reason !== "connection") controller?.abort(ended);
    }

    if (signal?.aborted) {
      fail("aborted", signal.reason);
      return;
    }
    signal?.addEventListener("abort", onAbort, { once: true });
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
        settle();
        resolve({ ...head, text: Buffer.concat(chunks).toString("utf8") });
      },
      onResponseError: (_controller, error) => fail("connection", error),
    });
  });
}
