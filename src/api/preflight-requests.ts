import { AdvisoryRequests, isForeign, refusalIn, type Answered, type Refusal, type Skipped } from "./advisory-requests";
import type { CallOptions } from "./client";
import { ConflictError, QuoteNotOfferedError } from "./errors";
import type { Clock } from "../process/clock";

/** The subjects of a preflight. If the questions on one fail, the others are still asked. */
export type PreflightTopic = "quote" | "availability" | "quotas" | "names" | "parents";

/** The result of a question. Only `refused` is the API's opinion against a change. */
export type Reply<T> =
  | Answered<T>
  | {
      readonly status: "refused";
      readonly refusal: Refusal;
      /** False if the same request may work later: the API has no room now, or something is in a wrong state. */
      readonly isFinal: boolean;
    }
  | Omit<Skipped, "reason">;

const TIME_LIMIT_MS = 30_000;
const OUT_OF_TIME = `the preview has asked the service for ${TIME_LIMIT_MS / 1000} s what it would refuse`;

/** Asks the API before anything is touched. A slow or broken answer never fails a preview: it is one warning in each run. */
export class PreflightRequests {
  readonly #requests: AdvisoryRequests;

  /** `explained`: the reasons that the run has already said in full. */
  constructor(
    private readonly clock: Clock,
    explained = new Set<string>(),
  ) {
    const outOfTime = { reason: OUT_OF_TIME, trouble: `${OUT_OF_TIME}, and asks no more` };
    this.#requests = new AdvisoryRequests(clock, TIME_LIMIT_MS, outOfTime, explained);
  }

  /** Throws only for a credential that the service refuses (UnauthorizedError). */
  ask<T>(topic: PreflightTopic, send: (call: CallOptions) => Promise<T>): Promise<Reply<T>> {
    const sendNow = (deadlineMs: number): Promise<T> => send({ deadlineMs, endsAt: this.clock.now() + deadlineMs });
    return this.#requests.ask(topic, sendNow, objectionIn);
  }
}

function objectionIn(error: unknown): Reply<never> | undefined {
  if (error instanceof QuoteNotOfferedError) return { status: "unanswered" };
  const refusal = refusalIn(error);
  if (refusal) return { status: "refused", refusal, isFinal: true };
  if (!(error instanceof ConflictError) || isForeign(error)) return undefined;
  return { status: "refused", refusal: { words: error.answer, isAboutPath: false, faults: [] }, isFinal: false };
}
