import type { Clock } from "../time/clock";
import {
  ApiError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  InvalidResponseError,
  NotFoundError,
  NotOfferedError,
  NotTheApiError,
  PausedError,
  RateLimitedError,
  TimeoutError,
  UnauthorizedError,
} from "./errors";
import type { CallOptions } from "./http/request";

/** The time limit of one request, including all attempts, because a preview must not wait for prices and opinions. */
const DEADLINE_MS = 2_000;
/** The time limit of all requests together, because the engine checks one resource after the other. */
const TIME_LIMIT_MS = 60_000;
const OUT_OF_TIME = `this run has waited ${TIME_LIMIT_MS / 1000} s for prices and checks, and asks for no further ones`;
/** After waiting this long in total, the row says what the run is waiting for. */
const SHOWN_AFTER_MS = 2_000;
/** After this many failures in a row, the run sends no further requests on the subject. */
const FAILURE_LIMIT = 3;

const UNREACHABLE = "the API could not be reached";
const WITHOUT_API =
  "Without the API, this run has no costs, and no checks of existing objects, quotas and permissions.";
const SAME_REASON = "For the same reason, this run may lack costs, and checks of existing objects, names and quotas.";

/** In the plural, for messages. If the requests on one subject fail, those on the others are still sent. */
type AdvisorySubject =
  "quotes" | "availability" | "quotas" | "names" | "parents" | "lists of objects" | "audit log" | "permissions";

interface SkippedReply {
  readonly status: "skipped";
  /** Why there is no response, short enough for a row. */
  readonly reason: string;
  /** The warning for people: see `#skipped`. */
  readonly trouble?: string | undefined;
}

/** The result of an advisory request. Only `refused` means that the API objects. */
export type Reply<T> =
  | { readonly status: "answered"; readonly answer: T }
  | {
      readonly status: "refused";
      readonly refusal: Refusal;
      /**
       * False if the same request may work later, because the API lacks capacity now or an object is in the wrong
       * state.
       */
      readonly isFinal: boolean;
    }
  | { readonly status: "notOffered" }
  | SkippedReply;

/**
 * Sends requests whose responses a run can do without, such as prices and the API's opinion on a change, each with a
 * short deadline. A slow or broken service fails no preview: it leads to one warning in each run.
 */
export class AdvisoryRequests {
  readonly #failedInARow = new Map<AdvisorySubject, number>();
  readonly #shown = new Set<string>();
  /** By reason: the subjects that it was given for, and the API's words to a key that may not do this. */
  readonly #explained = new Map<string, { readonly subjects: Set<string>; readonly refusals: Set<string> }>();
  /** True after a response to any request. Until then, one warning tells what the run lacks without the API. */
  #isReached = false;
  #isKeyRefused = false;
  #spentMs = 0;
  #underWay = 0;
  #busySince = 0;

  /**
   * `onLongWait`: called once for each subject, as soon as the run has waited for two seconds in total. `remedy`: what
   * to do if the service is too slow.
   */
  constructor(
    private readonly clock: Clock,
    private readonly onLongWait: (subject: string) => void = () => undefined,
    private readonly remedy = "Run again later",
  ) {}

  /**
   * `isBrief`: leaves the explanation of a failure to another request. Throws only for a credential that the API
   * refuses (UnauthorizedError).
   */
  async ask<T>(
    subject: AdvisorySubject,
    send: (options: Required<Pick<CallOptions, "deadlineMs" | "endsAt">>) => Promise<T>,
    isBrief = false,
  ): Promise<Reply<T>> {
    const skipped = (reason: string, trouble: string | undefined, refusal?: string): SkippedReply =>
      isBrief ? { status: "skipped", reason } : this.#skipped(subject, { reason, trouble, refusal });
    const outOfTime = (): SkippedReply => skipped(OUT_OF_TIME, `the API is slow: ${OUT_OF_TIME}. ${this.remedy}`);
    const leftMs = this.#leftMs;
    if (leftMs <= 0) return outOfTime();
    const failed = (): number => this.#failedInARow.get(subject) ?? 0;
    if (failed() >= FAILURE_LIMIT)
      return { status: "skipped", reason: `the last ${FAILURE_LIMIT} ${subject} failed, so this run no longer asks` };
    try {
      const deadlineMs = Math.min(DEADLINE_MS, leftMs);
      const answer = await this.#timed(subject, () => send({ deadlineMs, endsAt: this.clock.now() + deadlineMs }));
      this.#failedInARow.set(subject, 0);
      this.#isReached = true;
      return { status: "answered", answer };
    } catch (error) {
      if (error instanceof UnauthorizedError) {
        this.#isKeyRefused ||= !isBrief;
        throw error;
      }
      this.#isReached ||= error instanceof ApiError || error instanceof NotOfferedError;
      this.#failedInARow.set(subject, isServiceFailure(error) ? failed() + 1 : 0);
      if (error instanceof TimeoutError && this.#leftMs <= 0) return outOfTime();
      return replyIn(error, subject) ?? skipped(reasonOf(error), this.#troubleOf(error), forbiddenWords(error));
    }
  }

  /** True if no request has reached the API, and a warning says so. Then no further check needs its own. */
  get isUnreachable(): boolean {
    return !this.#isReached && this.#explained.has(UNREACHABLE);
  }

  /** True if the API has refused the credential, and the error of a resource says so. */
  get isKeyRefused(): boolean {
    return this.#isKeyRefused;
  }

  /** Zero or less after the limit. The time of parallel requests counts once. */
  get #leftMs(): number {
    return TIME_LIMIT_MS - this.#spentMs - (this.#underWay > 0 ? this.clock.now() - this.#busySince : 0);
  }

  #troubleOf(error: unknown): string | undefined {
    if (!(error instanceof Error)) return undefined;
    if (error instanceof ConnectionError && !this.#isReached) return `${error.message} ${WITHOUT_API}`;
    return forbiddenWords(error) === undefined ? error.message : `${error.message} ${SAME_REASON}`;
  }

  async #timed<T>(subject: string, send: () => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#busySince = this.clock.now();
    this.#underWay += 1;
    this.#showLongWait(subject);
    try {
      return await send();
    } finally {
      this.#showLongWait(subject);
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#spentMs += this.clock.now() - this.#busySince;
    }
  }

  /** Called when a request begins or ends. Requests are short, so no timer is needed. */
  #showLongWait(subject: string): void {
    if (TIME_LIMIT_MS - this.#leftMs < SHOWN_AFTER_MS || this.#shown.has(subject)) return;
    this.#shown.add(subject);
    this.onLongWait(subject);
  }

  /**
   * Gives `trouble` once for each subject, so that hundreds of rows do not repeat it: in full the first time, then in
   * short. If no subject has a response, or if the API key may not do this (`refusal`: the API's words), it gives it
   * once for all, because it says what the run lacks.
   */
  #skipped(
    subject: string,
    { reason, trouble, refusal }: { reason: string; trouble: string | undefined; refusal: string | undefined },
  ): SkippedReply {
    const known = this.#explained.get(reason);
    const { subjects, refusals } = known ?? { subjects: new Set(), refusals: new Set() };
    if (subjects.has(subject) || refusals.has(refusal ?? "") || (reason === UNREACHABLE && this.isUnreachable))
      return { status: "skipped", reason };
    subjects.add(subject);
    if (refusal !== undefined) refusals.add(refusal);
    this.#explained.set(reason, { subjects, refusals });
    return { status: "skipped", reason, trouble: known ? (refusal ?? reason) : trouble };
  }
}

/** The API's words if the API key may not do this. Undefined for any other error. */
function forbiddenWords(error: unknown): string | undefined {
  return error instanceof ForbiddenError && !isForeign(error) ? `the API answered ${error.words}` : undefined;
}

export function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return "the API did not answer in time";
  if (error instanceof PausedError) return "the API limits the rate of requests";
  if (error instanceof ConnectionError) return UNREACHABLE;
  if (error instanceof InvalidResponseError) return "the API's answer does not have the expected form";
  if (error instanceof ApiError && !isForeign(error))
    return `the API answered ${error.status} ${error.type ?? ""}`.trimEnd();
  if (error instanceof ApiError || error instanceof NotTheApiError)
    return `${error.status}, and not from the API: check the base URL (cloudinfra doctor)`;
  return error instanceof Error ? error.message : String(error);
}

export interface Refusal {
  readonly words: string;
  /** True if an object in the path is missing. Otherwise the refusal is about the body. */
  readonly isAboutPath: boolean;
  /** The API's names of the wrong members of the body. Empty if it gives none. */
  readonly faults: readonly { readonly member: string; readonly reason: string }[];
}

/**
 * The API's own refusal. Undefined for a response of a proxy, which knows nothing of the request. A NotFoundError is
 * always the API's.
 */
export function refusalIn(error: unknown): Refusal | undefined {
  if (error instanceof NotFoundError) return { words: error.responseText, isAboutPath: true, faults: [] };
  if (!(error instanceof BadRequestError) || isForeign(error)) return undefined;
  const faults = Object.entries(error.parameters).map(([member, reason]) => ({ member, reason }));
  return { words: error.responseText, isAboutPath: false, faults };
}

/**
 * The API's own response in an error: an objection, or that it has no such endpoint. The 409 of a quote says nothing
 * about the price.
 */
function replyIn(error: unknown, subject: AdvisorySubject): Exclude<Reply<never>, SkippedReply> | undefined {
  if (error instanceof NotOfferedError) return { status: "notOffered" };
  const refusal = refusalIn(error);
  if (refusal) return { status: "refused", refusal, isFinal: true };
  if (!(error instanceof ConflictError) || isForeign(error) || subject === "quotes") return undefined;
  return { status: "refused", refusal: { words: error.responseText, isAboutPath: false, faults: [] }, isFinal: false };
}

/** True for a 4xx that did not come from the API, whose own errors have a type (specification section 7.1). */
function isForeign(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.type === undefined;
}

/** True if the API or the connection failed, or if the rate of requests is limited. False if the request is wrong. */
function isServiceFailure(error: unknown): boolean {
  if (isForeign(error) || error instanceof RateLimitedError) return true;
  return !(error instanceof NotOfferedError || (error instanceof ApiError && error.status < 500));
}
