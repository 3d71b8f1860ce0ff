import type { CallOptions } from "../../api/client";
import { ConflictError, QuoteNotOfferedError, TimeoutError, UnauthorizedError } from "../../api/errors";
import type { Clock } from "../../clock";
import type { Refusal } from "../../cost/cost";
import { AskingTime } from "../../cost/asking-time";
import {
  isFailure,
  isForeign,
  isRefusal,
  messageOf,
  QUESTION_DEADLINE_MS,
  reasonOf,
  refusalOf,
} from "../../cost/unanswered";

/** The subjects of a preflight. If the questions on one fail, the others are still asked. */
export type Topic = "quote" | "availability" | "quotas" | "names";

/** The result of a question. Only `refused` is the API's opinion against a change. */
export type Reply<T> =
  | { readonly status: "answered"; readonly answer: T }
  | {
      readonly status: "refused";
      readonly refusal: Refusal;
      /** False if the same request may work later: the API has no room now, or something is in a wrong state. */
      readonly isFinal: boolean;
    }
  | {
      readonly status: "unanswered";
      /** The failure, and what to check. Said once in a run. */
      readonly trouble?: string | undefined;
    };

/** The time limit in a preview for all questions together, because the engine checks one resource after the other. */
const TIME_LIMIT_MS = 30_000;
/** After so many failed questions on a topic in a row, the preview no longer asks. */
const FAILURE_LIMIT = 3;

/** Asks the API before anything is touched. A slow or broken answer never fails a preview: it is one warning in each run. */
export class Questions {
  readonly #failedInARow = new Map<Topic, number>();
  readonly #told = new Set<string>();
  readonly #time: AskingTime;

  constructor(private readonly clock: Clock) {
    this.#time = new AskingTime(clock, TIME_LIMIT_MS);
  }

  /** Throws only for a credential that the service refuses (UnauthorizedError). */
  async ask<T>(topic: Topic, send: (call: CallOptions) => Promise<T>): Promise<Reply<T>> {
    const { leftMs } = this.#time;
    if (leftMs <= 0) return this.#outOfTime();
    const failed = this.#failedInARow.get(topic) ?? 0;
    if (failed >= FAILURE_LIMIT) return { status: "unanswered" };
    const deadlineMs = Math.min(QUESTION_DEADLINE_MS, leftMs);
    try {
      const answer = await this.#time.spend(() => send({ deadlineMs, endsAt: this.clock.now() + deadlineMs }));
      this.#failedInARow.set(topic, 0);
      return { status: "answered", answer };
    } catch (error) {
      if (error instanceof UnauthorizedError) throw error;
      this.#failedInARow.set(topic, isFailure(error) ? failed + 1 : 0);
      return error instanceof TimeoutError && this.#time.leftMs <= 0 ? this.#outOfTime() : this.#replyOf(error);
    }
  }

  #outOfTime(): Reply<never> {
    const reason = `the preview has asked the service for ${TIME_LIMIT_MS / 1000} s what it would refuse`;
    return this.#unanswered(reason, `${reason}, and asks no more`);
  }

  #replyOf(error: unknown): Reply<never> {
    if (error instanceof QuoteNotOfferedError) return { status: "unanswered" };
    if (isRefusal(error)) return { status: "refused", refusal: refusalOf(error), isFinal: true };
    if (error instanceof ConflictError && !isForeign(error)) {
      const words = error.message.split("\n")[0] ?? "";
      return { status: "refused", refusal: { words, isAboutPath: false, faults: [] }, isFinal: false };
    }
    return this.#unanswered(reasonOf(error), messageOf(error));
  }

  /** In full only the first time, because hundreds of rows would say the same. */
  #unanswered(reason: string, trouble: string | undefined): Reply<never> {
    if (this.#told.has(reason)) return { status: "unanswered" };
    this.#told.add(reason);
    return { status: "unanswered", trouble };
  }
}
