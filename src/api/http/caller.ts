import type { z } from "zod";
import type { Clock } from "../../time/clock";
import type { Dialect } from "../dialect";
import {
  AbortedError,
  ApiError,
  NotFoundError,
  PausedError,
  RequestError,
  TimeoutError,
  UnauthorizedError,
  type RequestLine,
} from "../errors";
import { page } from "../schema";
import { parseBody, readResponse, type ApiResponse, type HttpResponse } from "./response";
import { BaseUrlCheck } from "./base-url";
import type { Credential, Credentials } from "./credentials";
import type { Attempt, Transport } from "./transport";
import { encodeRequest, isChange, type ApiRequest, type CallOptions } from "./request";
import { QueueStalledError, type RequestGate } from "./request-gate";
import { decideRetry, isRateLimited, type Outcome } from "./retry";

/** The deadline of a call without its own: see `CallOptions`. */
const DEFAULT_DEADLINE_MS = 120_000;

interface CallerParts {
  readonly transport: Transport;
  readonly credentials: Credentials;
  readonly gate: RequestGate;
  readonly clock: Clock;
  readonly random: () => number;
  readonly dialect: Dialect;
  readonly host: string;
  /** Origin and path prefix, for messages. */
  readonly baseUrl: string;
  readonly requestTimeoutMs: number;
  readonly provider?: string | undefined;
  readonly cancelled?: AbortSignal | undefined;
}

interface Call {
  readonly line: RequestLine;
  readonly target: string;
  readonly body: string | undefined;
  readonly options: CallOptions;
  /** Ends the waits before its attempts. Only a change has its own. */
  readonly cancelled: AbortSignal | undefined;
  readonly position: number;
  readonly deadlineMs: number;
  /** The deadline. Each wait in the queue that does not count moves it, but not beyond the `endsAt` of the options. */
  endsAt: number;
  sentAt: number;
  failed: number;
  rateLimited: number;
  mayHaveArrived: boolean;
  wasRefused: boolean;
}

/** Sends all requests of a client, with retries. */
export class Caller {
  readonly dialect: Dialect;
  readonly clock: Clock;
  /** What the API does not offer, as its responses have shown: an advisory endpoint, or pages of the size of lists. */
  readonly notOffered = new Set<string>();
  #skewMs = Infinity;
  #changes = 0;
  readonly #baseUrlCheck: BaseUrlCheck;

  constructor(private readonly parts: CallerParts) {
    this.dialect = parts.dialect;
    this.clock = parts.clock;
    this.#baseUrlCheck = new BaseUrlCheck(
      parts.baseUrl,
      (request, options) => this.#send(request, options),
      (response) => void this.parse(page, response),
    );
  }

  /** Grows when a change begins and when it ends. Anything read at another number may be out of date. */
  get changes(): number {
    return this.#changes;
  }

  /** Called when this client has changed, or is about to change, something at the API. */
  countChange(): void {
    this.#changes += 1;
  }

  /**
   * The API's time in epoch milliseconds: the earliest that its responses have shown, so that one wrong `Date` cannot
   * expire a key. Before the first response, the local time.
   */
  apiNow(): number {
    return this.clock.now() + (this.hasApiTime ? this.#skewMs : 0);
  }

  get hasApiTime(): boolean {
    return this.#skewMs < Infinity;
  }

  /** Rejects with NotTheApiError if the base URL may be wrong, because the 404 then says nothing about an object. */
  confirmBaseUrl(notFound: NotFoundError, options: CallOptions): Promise<void> {
    return this.#baseUrlCheck.confirm(notFound, options);
  }

  /**
   * Resolves with the body of a 2xx. Rejects with a RequestError, or with ConfigurationError for an impossible path. A
   * NotFoundError is the API's own response about the object; any other 404 is a NotTheApiError.
   */
  async request(request: ApiRequest, options: CallOptions = {}): Promise<ApiResponse> {
    if (isChange(request)) this.countChange();
    try {
      return await this.#send(request, options);
    } catch (error) {
      // For an advisory request, `askAdvisory` finds out what a 404 means, and checks the base URL if necessary.
      if (error instanceof NotFoundError && request.idempotent !== true) await this.confirmBaseUrl(error, options);
      throw error;
    } finally {
      if (isChange(request)) this.countChange();
    }
  }

  /**
   * Parses a response (see `parseBody`). Its form proves that the API has answered, and not a proxy with another clock:
   * so its time counts.
   */
  parse<T>(schema: z.ZodType<T>, response: ApiResponse, at: readonly PropertyKey[] = []): T {
    const value = parseBody(schema, response, this.dialect, at);
    this.#baseUrlCheck.recordResponse();
    this.#skewMs = Math.min(this.#skewMs, response.skewMs);
    return value;
  }

  /** The life of a request: encode, wait for a slot, send, read, decide; then return, fail, or wait and begin again. */
  async #send(request: ApiRequest, options: CallOptions): Promise<ApiResponse> {
    const { credentials, gate, transport, clock, random } = this.parts;
    const call = this.#encode(request, options);
    for (;;) {
      const credential = options.credential ?? credentials.current;
      let outcome: Outcome;
      try {
        await this.#waitForSlot(call);
        call.sentAt = clock.now();
        const response = await transport.send(this.#attempt(call, credential)).finally(() => gate.leave());
        outcome = this.#outcomeOf(call, response, credential);
      } catch (error) {
        if (!(error instanceof RequestError)) throw error;
        outcome = { error, hints: {} };
      }
      if ("body" in outcome) return { line: call.line, ...outcome, sentAt: call.sentAt };
      const { error, hints } = outcome;
      const hasNewKey = !options.credential && error instanceof UnauthorizedError && credentials.current !== credential;
      if (isRateLimited(error)) call.rateLimited += 1;
      else if (!hasNewKey) call.failed += 1;
      call.mayHaveArrived ||= error.effect === "unknown";
      // A refusal may be the response to a second delivery, after the first one had its effect. A refused key has no
      // effect, and cannot read the audit log.
      const isRefused = error instanceof ApiError && !(error instanceof UnauthorizedError);
      const { failed, rateLimited, mayHaveArrived, wasRefused } = call;
      const attempts = { failed, rateLimited, hasNewKey, remainingMs: this.#remainingMs(call), random: random() };
      const pauseMs = decideRetry(outcome, attempts, { ...request, retry: options.retry });

      // An advisory request that gives up delays no other: the limit may be that of its endpoint alone.
      if (isRateLimited(error) && (pauseMs !== undefined || request.idempotent !== true))
        gate.recordRefused(call.sentAt, pauseMs ?? hints.retryAfterMs ?? 0);
      if (pauseMs === undefined) {
        // If the last attempt was refused, recovery looks for all attempts in the audit log anyway.
        if (mayHaveArrived || (wasRefused && !isRefused)) error.noteUnknownEffect();
        throw error;
      }
      if ((isRefused && !wasRefused) || hasNewKey) await options.beforeSentAgain?.();
      call.wasRefused ||= isRefused;
      if (isRateLimited(error) || hasNewKey) continue; // after a 429, the gate decides when to send again
      await clock.sleep(pauseMs, call.cancelled).catch((cause: unknown) => {
        throw new AbortedError(call.line, call.mayHaveArrived || call.wasRefused ? "unknown" : "none", { cause });
      });
    }
  }

  #encode(request: ApiRequest, options: CallOptions): Call {
    const { dialect, provider, clock, gate, requestTimeoutMs } = this.parts;
    const { target, path, body } = encodeRequest(request, dialect);
    const deadlineMs = options.deadlineMs ?? Math.max(DEFAULT_DEADLINE_MS, 2 * requestTimeoutMs);
    return {
      line: { method: request.method, path, purpose: options.purpose, provider },
      target,
      body,
      options,
      cancelled: (isChange(request) ? options.cancelled : undefined) ?? this.parts.cancelled,
      position: gate.newPosition(),
      deadlineMs,
      endsAt: Math.min(clock.now() + deadlineMs, options.endsAt ?? Infinity),
      sentAt: -Infinity,
      failed: 0,
      rateLimited: 0,
      mayHaveArrived: false,
      wasRefused: false,
    };
  }

  async #waitForSlot(call: Call): Promise<void> {
    const { gate, host } = this.parts;
    const { line, deadlineMs, options, cancelled: signal } = call;
    const { endsAt = Infinity } = options;
    const stallTimeoutMs = this.#remainingMs(call);
    const timeout = (): Error => new TimeoutError(line, host, { ms: deadlineMs, isConfigured: false }, "none");
    if (this.clock.now() >= endsAt) throw timeout();
    try {
      const excusedMs = await gate.enter(call.position, { stallTimeoutMs, endsAt, signal });
      call.endsAt = Math.min(call.endsAt + excusedMs, endsAt);
      if (this.#remainingMs(call) > 0) return;
      gate.leave();
      throw new QueueStalledError();
    } catch (error) {
      if (signal?.aborted) throw new AbortedError(line, "none", { cause: signal.reason });
      if (!(error instanceof QueueStalledError)) throw error;
      if (!gate.isRefusing && error.pauseMs === undefined) throw timeout();
      throw new PausedError(line, host, error.pauseMs, deadlineMs);
    }
  }

  #attempt(call: Call, credential: Credential): Attempt {
    const { line, target, body, options } = call;
    const timeoutMs = Math.max(1, Math.min(this.parts.requestTimeoutMs, this.#remainingMs(call)));
    // The message names the time limit of the whole call, not what was left of it for this attempt.
    const namedMs = options.endsAt === undefined ? timeoutMs : call.deadlineMs;
    const namedLimit = { ms: namedMs, isConfigured: timeoutMs === this.parts.requestTimeoutMs };
    return { line, target, body, credential, comment: options.comment, timeoutMs, namedLimit };
  }

  #outcomeOf({ line, failed, rateLimited }: Call, response: HttpResponse, credential: Credential): Outcome {
    const { gate, clock, credentials, baseUrl } = this.parts;
    if (response.status !== 429) gate.recordResponse();
    return readResponse(line, response, {
      scrub: (text) => credentials.scrub(text),
      credentialSource: credential.source,
      credentialRemedy: credentials.remedyOf(credential),
      attempts: failed + rateLimited + 1,
      now: clock.now(),
      apiNow: this.apiNow(),
      baseUrl,
      dialect: this.dialect,
    });
  }

  #remainingMs({ endsAt }: Call): number {
    return endsAt - this.clock.now();
  }
}
