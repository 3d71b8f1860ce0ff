import type { Clock } from "../../clock";
import { Pace } from "./pace";
import { WaitingLine, type Lane, type Turn } from "./waiting-line";

/** The parts of a gate. */
export interface GateParts {
  /** How many requests may be under way. */
  readonly capacity: number;
  readonly clock: Clock;
  /** Called once, when the service refuses a request for the rate for the first time. */
  readonly onLimited?: (() => void) | undefined;
}

/** The limits of a wait for a turn. */
export interface Patience {
  /** How long the service may leave everybody unanswered. */
  readonly patienceMs: number;
  /** The latest end of the wait, whoever is answered meanwhile. */
  readonly endsAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The service has answered nobody for as long as a call was ready to wait, or has asked for a longer pause. */
export class LineStandsStillError extends Error {
  /** `pauseMs`: what is left of the pause that the service asked for, if that is the reason. */
  constructor(readonly pauseMs?: number) {
    super("the line stands still");
  }
}

/** One call in the line. */
interface Waiter {
  readonly turn: Turn;
  readonly queuedAt: number;
  readonly patienceMs: number;
  readonly endsAt: number;
  readonly admit: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * All requests of the process pass here, so that they keep the service's rate limit together: so many at a time, and, once
 * the service has refused one, at its `Pace` and in the order of a `WaitingLine`.
 *
 * Waiting in the line is no fault of the service as long as it answers somebody: 500 creations at 20 a second take their
 * time, and none of them is late. So a wait counts only from the last answer that anybody got. If the service refuses
 * everybody, or is silent, the line stands still, and the patience of those in it runs out.
 */
export class RequestGate {
  readonly #line = new WaitingLine<Waiter>();
  readonly #pace = new Pace();
  #answeredAt = -Infinity;
  #free: number;
  #calls = 0;
  #isAsleep = false;
  #patienceTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: GateParts) {
    this.#free = parts.capacity;
  }

  /** The claim of a new call. */
  turn(lane: Lane): Turn {
    return { lane, number: ++this.#calls };
  }

  /**
   * Resolves when it is the call's turn, with how much of the wait does not count; `leave` must follow. Rejects with
   * LineStandsStillError when the patience is over, or is sure to be over before the pause that the service asked for; with
   * the signal's reason when that is aborted in the line.
   */
  async enter(turn: Turn, { patienceMs, endsAt = Infinity, signal }: Patience): Promise<number> {
    const queuedAt = this.parts.clock.now();
    if (this.#line.isEmpty && this.#isOpen(queuedAt)) {
      this.#letOneIn(queuedAt);
      return 0;
    }
    signal?.throwIfAborted();
    let onAbort: (() => void) | undefined;
    const wait = new Promise<number>((resolve, reject) => {
      const admit = (): void => resolve(this.#countsFrom(queuedAt) - queuedAt);
      const waiter: Waiter = { turn, queuedAt, patienceMs, endsAt, admit, giveUp: reject };
      onAbort = () => this.#sendAway(waiter, signal?.reason);
      signal?.addEventListener("abort", onAbort);
      this.#line.add(waiter);
      this.#admit();
    });
    return wait.finally(() => onAbort && signal?.removeEventListener("abort", onAbort));
  }

  /** A request that was let in has ended. */
  leave(): void {
    this.#free += 1;
    this.#admit();
  }

  /** The service has answered a request with anything but a refusal for the rate. */
  answered(): void {
    this.#answeredAt = this.parts.clock.now();
    this.#pace.accepted(this.#answeredAt);
  }

  /** The service has refused a request for the rate that was sent at that moment: nobody passes for so long. */
  refused(sentAt: number, pauseMs: number): void {
    if (!this.#pace.isLimited) this.parts.onLimited?.();
    this.#pace.refused(sentAt, this.parts.clock.now(), pauseMs);
    this.#admit();
  }

  /** Lets in those whose turn it is, sends away those whose patience is over, and comes back when the next may go. */
  #admit(): void {
    const now = this.parts.clock.now();
    while (this.#isOpen(now)) {
      const waiter = this.#line.take();
      if (!waiter) break;
      this.#letOneIn(now);
      waiter.admit();
    }
    const pauseMs = Math.max(0, this.#pace.pausedUntil - now);
    for (const waiter of this.#line)
      if (this.#patientUntil(waiter) <= now + pauseMs)
        this.#sendAway(waiter, new LineStandsStillError(pauseMs || undefined));
    clearTimeout(this.#patienceTimer);
    if (this.#line.isEmpty) return;
    // While all are under way, the next to leave makes room, unless the service is silent.
    if (this.#free > 0) void this.#comeBack();
    const patientUntil = Math.min(...[...this.#line].map((waiter) => this.#patientUntil(waiter)));
    this.#patienceTimer = setTimeout(() => this.#admit(), patientUntil - now).unref();
  }

  async #comeBack(): Promise<void> {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    await this.parts.clock.sleep(Math.max(1, this.#pace.opensAt - this.parts.clock.now()));
    this.#isAsleep = false;
    this.#admit();
  }

  #isOpen(now: number): boolean {
    return this.#free > 0 && this.#pace.opensAt <= now;
  }

  #letOneIn(now: number): void {
    this.#free -= 1;
    this.#pace.sent(now);
  }

  #sendAway(waiter: Waiter, reason: unknown): void {
    this.#line.remove(waiter);
    waiter.giveUp(reason);
  }

  #countsFrom(queuedAt: number): number {
    return Math.max(queuedAt, this.#answeredAt);
  }

  /** When the patience is over if nobody is answered from now on. */
  #patientUntil({ queuedAt, patienceMs, endsAt }: Waiter): number {
    return Math.min(this.#countsFrom(queuedAt) + patienceMs, endsAt);
  }
}
