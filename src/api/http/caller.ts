import type { Clock } from "../../clock";
import { NotFoundError, UnauthorizedError } from "../errors/api-error";
import { BaseUrlCheck } from "./base-url-check";
import type { CallOptions } from "./call-options";
import { RequestError, type RequestLine } from "../errors/cloudinfra-error";
import { AbortedError, PausedError, TimeoutError } from "../errors/connection-error";
import type { Credential, Credentials } from "./credentials";
import type { HttpResponse } from "./exchange";
import { readFailure } from "./read-failure";
import { readAs, readJson, type Answer } from "./read-response";
import { encodeRequest, type ApiRequest } from "./api-request";
import type { RequestGate, Turn } from "./request-gate";
import { dateOf, type RetryHints } from "./response-headers";
import { decideRetry } from "./retry";
import { page } from "../schema";
import { isTransient, statusOf } from "./transient";
import type { Transport } from "./transport";
import type { Dialect } from "../dialect";
import { LineStandsStillError } from "./waiter";
import type { Lane } from "./waiting-line";

/** For a call that sets no deadline of its own: see `CallOptions`. */
const DEFAULT_DEADLINE_MS = 120_000;

/** What a caller is made of. */
export interface CallerParts {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly gate: RequestGate;
  readonly clock: Clock;
  readonly random: () => number;
  readonly dialect: Dialect;
  readonly host: string;
  /** Origin and path prefix, as messages name them. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
}

/** One call under way. */
interface Call {
  readonly turn: Turn;
  readonly line: RequestLine;
  readonly target: string;
  readonly body: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly token: string | undefined;
  readonly deadlineMs: number;
  /** Later with each wait in the gate's line that does not count. */
  endsAt: number;
}

type Outcome = { readonly body: unknown } | { readonly error: RequestError; readonly hints: RetryHints };

/** Makes calls: attempts, retries, and the fallback to another credential. */
export class Caller {
  readonly dialect: Dialect;
  readonly clock: Clock;
  #skewMs = 0;
  #hasHeardTime = false;
  #changes = 0;
  readonly #baseUrlCheck: BaseUrlCheck;

  constructor(private readonly parts: CallerParts) {
    this.dialect = parts.dialect;
    this.clock = parts.clock;
    this.#baseUrlCheck = new BaseUrlCheck(
      parts.baseUrl,
      (request, call) => this.#ask(request, call),
      (answer) => void readAs(page, answer, this.dialect),
    );
  }

  /** Grows with each beginning and end of a change: what was read at another number may be out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** Something at the service has changed, or is about to, by this client's doing. */
  noteChange(): void {
    this.#changes += 1;
  }

  /** The service's time in epoch milliseconds; the local one before the first response. */
  serverNow(): number {
    return this.parts.clock.now() + this.#skewMs;
  }

  /** Whether a response has told the service's time yet. */
  get hasHeardTime(): boolean {
    return this.#hasHeardTime;
  }

  /**
   * Resolves with the body of a 2xx. Rejects with a RequestError, or with ConfigurationError for an impossible path. A
   * NotFoundError is the API's own word about what was asked for: a 404 of anybody else's is a NotTheApiError.
   */
  async request(request: ApiRequest, options: CallOptions = {}): Promise<Answer> {
    if (laneOf(request) !== "mutation") return this.#askKnownApi(request, options);
    this.noteChange();
    try {
      return await this.#askKnownApi(request, options);
    } finally {
      this.noteChange();
    }
  }

  async #askKnownApi(request: ApiRequest, options: CallOptions): Promise<Answer> {
    try {
      return await this.#ask(request, options);
    } catch (error) {
      // What it says of a quote is found out in `Quotes`: by another request, which tells of the base URL as well.
      if (error instanceof NotFoundError && request.idempotent !== true) await this.confirmBaseUrl(error, options);
      throw error;
    }
  }

  /** Rejects with NotTheApiError where the 404 says nothing about an object, since the base URL is not known to be right. */
  confirmBaseUrl(notFound: NotFoundError, options: CallOptions): Promise<void> {
    return this.#baseUrlCheck.confirm(notFound, options);
  }

  async #ask(request: ApiRequest, options: CallOptions): Promise<Answer> {
    const { credentials, gate, random } = this.parts;
    const call = this.#prepare(request, options);
    const tally = { failed: 0, rateLimited: 0 };
    let mayHaveArrived = false;
    for (;;) {
      const credential = credentials.current;
      const outcome = await this.#attempt(call, credential, tally.failed + tally.rateLimited + 1);
      if ("body" in outcome)
        return { line: call.line, body: outcome.body, noteUsable: () => this.#baseUrlCheck.noteAnswer() };
      const { error, hints } = outcome;
      // A 401 precedes every handler (specification section 5.2): whatever the method, nothing was done.
      if (error instanceof UnauthorizedError && credentials.moveOn(credential)) continue;

      const status = statusOf(error);
      tally[status === 429 ? "rateLimited" : "failed"] += 1;
      mayHaveArrived ||= error.effect === "unknown";
      const pauseMs = decideRetry(
        {
          ...hints,
          method: request.method,
          idempotent: request.idempotent ?? false,
          status,
          transient: isTransient(error),
          effect: error.effect,
        },
        { ...tally, remainingMs: this.#remainingMs(call), random: random() },
      );
      const isRefused = status === 429;
      if (isRefused) gate.refused(call.turn, pauseMs ?? hints.retryAfterMs ?? 0);
      if (pauseMs === undefined || (options.retry === false && !isRefused)) {
        if (mayHaveArrived) error.effect = "unknown";
        throw error;
      }
      // After a refusal it is the gate that says when.
      if (!isRefused) await this.#pause(call, pauseMs, mayHaveArrived);
    }
  }

  #prepare(request: ApiRequest, options: CallOptions): Call {
    const { dialect, clock, gate, requestTimeoutMs } = this.parts;
    const { target, path, body } = encodeRequest(request, dialect);
    const deadlineMs = options.deadlineMs ?? Math.max(DEFAULT_DEADLINE_MS, 2 * requestTimeoutMs);
    return {
      turn: gate.turn(laneOf(request)),
      line: { method: request.method, path, what: options.what },
      target,
      body,
      signal: options.signal,
      token: options.token,
      deadlineMs,
      endsAt: clock.now() + deadlineMs,
    };
  }

  #remainingMs(call: Call): number {
    return call.endsAt - this.parts.clock.now();
  }

  async #attempt(call: Call, credential: Credential, attempts: number): Promise<Outcome> {
    try {
      const response = await this.#send(call, credential);
      if (response.status !== 429) this.parts.gate.answered();
      const date = dateOf(response.headers);
      if (date !== undefined) {
        this.#skewMs = date - this.parts.clock.now();
        this.#hasHeardTime = true;
      }
      if (response.status >= 200 && response.status < 300) return { body: readJson(call.line, response) };
      return readFailure(call.line, response, {
        scrub: (text) => this.parts.credentials.scrub(text),
        credentialSource: credential.source,
        attempts,
        serverNow: this.serverNow(),
        baseUrl: this.parts.baseUrl,
      });
    } catch (error) {
      if (error instanceof RequestError) return { error, hints: {} };
      throw error;
    }
  }

  async #send(call: Call, credential: Credential): Promise<HttpResponse> {
    const { gate, transport, host, requestTimeoutMs } = this.parts;
    const { line, target, body, signal, token, deadlineMs } = call;
    const patience = { patienceMs: this.#remainingMs(call), signal };
    try {
      return await gate.run(call.turn, patience, (excusedMs) => {
        call.endsAt += excusedMs;
        const timeoutMs = Math.max(1, Math.min(requestTimeoutMs, this.#remainingMs(call)));
        return transport.send({ line, target, body, credential, token, timeoutMs, signal });
      });
    } catch (error) {
      if (error instanceof LineStandsStillError) {
        const { pauseMs } = error;
        throw pauseMs === undefined
          ? new TimeoutError(line, host, deadlineMs, "none")
          : new PausedError(line, host, { pauseMs, deadlineMs });
      }
      if (error instanceof RequestError || !signal?.aborted) throw error;
      throw new AbortedError(line, "none", { cause: signal.reason });
    }
  }

  async #pause(call: Call, pauseMs: number, mayHaveArrived: boolean): Promise<void> {
    try {
      await this.parts.clock.sleep(pauseMs, call.signal);
    } catch (cause) {
      throw new AbortedError(call.line, mayHaveArrived ? "unknown" : "none", { cause });
    }
  }
}

function laneOf({ method, idempotent, isPoll }: ApiRequest): Lane {
  if (isPoll) return "poll";
  if (method === "GET") return "read";
  return idempotent ? "quote" : "mutation";
}
