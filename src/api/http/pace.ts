/** After a refusal, requests begin again at this share of the accepted pace. */
const STEP_BACK = 0.8;
/** The former pace is reached again after this time and this number of requests, whichever is later. */
const RECOVERY_MS = 6_000;
const RECOVERY_REQUESTS = 12;
/** The time after the first refusal. It is shorter, because a first burst says little about the lasting limit. */
const FIRST_RECOVERY_MS = 1_000;
/** A refusal never lowers the pace by more than this factor, because a short measurement is not reliable. */
const LARGEST_DROP = 4;
/** One request in 20 s. At a slower pace, it is better to let the deadlines end the run. */
const SLOWEST_PER_SECOND = 0.05;
const SECOND_MS = 1_000;

interface LimitedPeriod {
  readonly startedAt: number;
  /** Requests a second that the API is known to accept. */
  readonly knownPerSecond: number;
  readonly recoveryMs: number;
  accepted: number;
}

/**
 * The pace for a service with an unknown rate limit. Until the first refusal no request waits. After that, requests are
 * spaced. The pace begins a little below the accepted one, returns to it, stays there for a while, and then grows ever
 * faster to find a higher limit. The curve is a cubic, as in TCP CUBIC. The class has no clock and no timers: the
 * caller gives the times in epoch milliseconds.
 */
export class Pace {
  #stretch: LimitedPeriod | undefined;
  #pausedUntil = -Infinity;
  #nextAt = -Infinity;
  /** When the requests of the last second were accepted. Nothing else is kept before the first refusal. */
  #acceptedLately: number[] = [];

  /** True after the first refusal. */
  get isLimited(): boolean {
    return this.#stretch !== undefined;
  }

  /** The end of the pause that the API asked for; -Infinity without a pause. */
  get pausedUntil(): number {
    return this.#pausedUntil;
  }

  /** When the next request may be sent. A time in the past means at once. */
  get opensAt(): number {
    return Math.max(this.#pausedUntil, this.#nextAt);
  }

  /** The pace at a moment, in requests a second. Infinity before the first refusal. */
  perSecond(now: number): number {
    if (!this.#stretch) return Infinity;
    const { knownPerSecond, recoveryMs } = this.#stretch;
    // STEP_BACK at the end of the pause, and exactly 1 after `recoveryMs`.
    const scaleMs = recoveryMs / Math.cbrt(1 - STEP_BACK);
    const sinceMs = Math.max(0, now - this.#pausedUntil);
    return knownPerSecond * (1 + ((sinceMs - recoveryMs) / scaleMs) ** 3);
  }

  recordSent(now: number): void {
    if (!this.#stretch) return;
    const gapMs = SECOND_MS / this.perSecond(now);
    // Makes up for a timer that woke late, but by one request at most.
    this.#nextAt = Math.max(this.#nextAt, now - gapMs) + gapMs;
  }

  /** Records a response other than a refusal for the rate. */
  recordAccepted(now: number): void {
    if (this.#stretch) this.#stretch.accepted += 1;
    else this.#acceptedLately = [...this.#since(now - SECOND_MS), now];
  }

  /**
   * Records a refusal for the rate. No request may be sent for `pauseMs`. After that, the pace is one that the API is
   * known to accept.
   */
  recordRefused(sentAt: number, now: number, pauseMs: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, now + pauseMs);
    const former = this.#stretch;
    // A request that was sent before the last refusal says nothing about the pace since then.
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
