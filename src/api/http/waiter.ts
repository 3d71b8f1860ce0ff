import type { Place } from "./waiting-line";

/** The service has answered nobody for as long as somebody in the line was ready to wait, or has asked for a longer pause. */
export class LineStandsStillError extends Error {
  /** `pauseMs`: what is left of the pause that the service asked for, where that is the reason. */
  constructor(readonly pauseMs?: number) {
    super("the line stands still");
  }
}

/** What bounds a wait in the line. */
export interface Patience {
  /** How long the service may leave everybody unanswered. */
  readonly patienceMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What the line tells those in it. */
export interface Progress {
  /** Epoch milliseconds of the last answer that anybody got; -Infinity before the first. */
  readonly answeredAt: number;
  /** How many answers there were. */
  readonly answers: number;
}

/** One call in the line, until it is let in or gives up. */
export class Waiter {
  /** With how much of the wait does not count. Rejects with LineStandsStillError, or with the reason of the signal. */
  readonly admitted: Promise<number>;
  #resolve!: (excusedMs: number) => void;
  #reject!: (reason: unknown) => void;
  #timer: NodeJS.Timeout | undefined;

  /** `leave` is called at the end, whichever it is. The signal must not have been aborted yet. */
  constructor(
    readonly place: Place,
    private readonly queuedAt: number,
    private readonly patience: Patience,
    private readonly progress: Progress,
    private readonly leave: (waiter: Waiter) => void,
  ) {
    this.admitted = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#waitForAnswers();
    patience.signal?.addEventListener("abort", this.#onAbort);
  }

  /** When the patience is over if nobody is answered from now on. */
  get patientUntil(): number {
    return this.#countsFrom + this.patience.patienceMs;
  }

  admit(): void {
    this.#end();
    this.#resolve(this.#countsFrom - this.queuedAt);
  }

  giveUp(pauseMs?: number): void {
    this.#end();
    this.#reject(new LineStandsStillError(pauseMs));
  }

  get #countsFrom(): number {
    return Math.max(this.queuedAt, this.progress.answeredAt);
  }

  readonly #onAbort = (): void => {
    this.#end();
    this.#reject(this.patience.signal?.reason);
  };

  /** By the machine's timers, as the time limit of an exchange: it is the same silence that they tell of. */
  #waitForAnswers(): void {
    const { answers } = this.progress;
    this.#timer = setTimeout(() => {
      if (this.progress.answers === answers) this.giveUp();
      else this.#waitForAnswers();
    }, this.patience.patienceMs).unref();
  }

  #end(): void {
    clearTimeout(this.#timer);
    this.patience.signal?.removeEventListener("abort", this.#onAbort);
    this.leave(this);
  }
}
