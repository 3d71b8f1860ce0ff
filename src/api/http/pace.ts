/** How much of the pace at which the service refused is used at first after a refusal. */
const STEP_BACK = 0.8;
/** When the former pace is reached again: after so long, and after so many requests, whichever is later. */
const RECOVERY_MS = 6_000;
const RECOVERY_REQUESTS = 12;
/** After the first refusal already after this: what a burst got through says little of what goes on. */
const FIRST_RECOVERY_MS = 1_000;
/** A refusal never lowers the pace by more than this factor: one unlucky moment says little. */
const LARGEST_DROP = 4;
/** One request in 20 s: below that a run is better ended by its deadlines. */
const SLOWEST_PER_SECOND = 0.05;
const SECOND_MS = 1_000;

/** From one refusal to the next. */
interface Stretch {
  readonly startedAt: number;
  /** Requests a second that the service is known to have taken. */
  readonly knownPerSecond: number;
  readonly recoveryMs: number;
  accepted: number;
}

/**
 * The pace that a service with an unknown rate limit keeps up with. Free until the service refuses for the first time: no
 * request waits. From then on requests are spaced: a little slower than what the service took so far, back to that pace in a
 * curve, resting there for a while, then ever faster to find out whether more is let through (a cubic, as TCP's).
 * It has no clock and no timers: the moments, in epoch milliseconds, are the caller's.
 */
export class Pace {
  #stretch: Stretch | undefined;
  #pausedUntil = -Infinity;
  #nextAt = -Infinity;
  /** When the requests of the last second were accepted: all that is kept while nothing was refused. */
  #acceptedLately: number[] = [];

  /** Whether the service has ever refused. */
  get isLimited(): boolean {
    return this.#stretch !== undefined;
  }

  /** The end of the pause that the service asked for; -Infinity if it has asked for none. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** When the next request may be sent; a moment that has passed: at once. */
  get opensAt(): number {
    return Math.max(this.#pausedUntil, this.#nextAt);
  }

  /** Requests a second at a moment; Infinity if nothing was refused yet. */
  perSecond(now: number): number {
    if (!this.#stretch) return Infinity;
    const { knownPerSecond, recoveryMs } = this.#stretch;
    // At the end of the pause STEP_BACK, after `recoveryMs` exactly 1.
    const scaleMs = recoveryMs / Math.cbrt(1 - STEP_BACK);
    const sinceMs = Math.max(0, now - this.#pausedUntil);
    return knownPerSecond * (1 + ((sinceMs - recoveryMs) / scaleMs) ** 3);
  }

  /** A request is sent. */
  sent(now: number): void {
    if (!this.#stretch) return;
    const gapMs = SECOND_MS / this.perSecond(now);
    // A timer that woke late is made good for, but never by more than one request.
    this.#nextAt = Math.max(this.#nextAt, now - gapMs) + gapMs;
  }

  /** The service has taken a request, whatever it answered. */
  accepted(now: number): void {
    if (this.#stretch) this.#stretch.accepted += 1;
    else this.#acceptedLately = [...this.#since(now - SECOND_MS), now];
  }

  /** The service has refused a request for the rate: nobody sends for `pauseMs`, and then at a pace that is known to be good. */
  refused(sentAt: number, now: number, pauseMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    const former = this.#stretch;
    // What was under way when the limit was met says nothing of the pace since.
    if (former && sentAt <= former.startedAt) return;
    const measured = former
      ? (former.accepted * SECOND_MS) / Math.max(1, now - former.startedAt)
      : this.#since(now - SECOND_MS).length;
    const knownPerSecond = Math.max(former ? former.knownPerSecond / LARGEST_DROP : 1, SLOWEST_PER_SECOND, measured);
    const recoveryMs = former
      ? Math.max(RECOVERY_MS, (RECOVERY_REQUESTS * SECOND_MS) / knownPerSecond)
      : FIRST_RECOVERY_MS;
    this.#stretch = { startedAt: now, knownPerSecond, recoveryMs, accepted: 0 };
    this.#nextAt = this.#pausedUntil;
  }

  #since(moment: number): number[] {
    return this.#acceptedLately.filter((at) => at > moment);
  }
}
