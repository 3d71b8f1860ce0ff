import type { Clock } from "../../clock";
import { Pace } from "./pace";
import { Waiter, type Patience } from "./waiter";
import { WaitingLine, type Lane, type Place } from "./waiting-line";

/** What a gate is made of. */
export interface GateParts {
  /** How many requests may be under way. */
  readonly capacity: number;
  readonly clock: Clock;
  /** Told once, when the service refuses a request for the rate for the first time. */
  readonly onLimited?: (() => void) | undefined;
}

/** A call's place in the line, and when its last attempt was let in (epoch milliseconds). */
export interface Turn extends Place {
  admittedAt: number;
}

/**
 * Where all requests of the process pass, so that they keep the service's rate limit together: so many at a time, and, once
 * the service has refused one, none before its turn (`Pace`) and in a fair order (`WaitingLine`).
 *
 * Waiting in the line is no fault of the service as long as it answers somebody: 500 creations at 20 a second take their
 * time, and none of them is late. So a wait counts only from the last answer that anybody got. Where the service refuses
 * everybody, or is silent, the line stands still, and the patience of those in it runs out.
 */
export class RequestGate {
  readonly #line = new WaitingLine<Waiter>();
  readonly #pace = new Pace();
  readonly #progress = { answeredAt: -Infinity, answers: 0 };
  #free: number;
  #calls = 0;
  #isAsleep = false;

  constructor(private readonly parts: GateParts) {
    this.#free = parts.capacity;
  }

  /** A place for a new call, to be kept for all of its attempts. */
  turn(lane: Lane): Turn {
    return { lane, number: ++this.#calls, admittedAt: -Infinity };
  }

  /**
   * Runs the task when it is its turn; the task is told how much of the wait does not count. Rejects with
   * LineStandsStillError when the patience is over, or is sure to be over before the pause that the service asked for; with
   * the signal's reason when that is aborted in the line.
   */
  async run<T>(turn: Turn, patience: Patience, task: (excusedMs: number) => Promise<T>): Promise<T> {
    const excusedMs = await this.#enter(turn, patience);
    turn.admittedAt = this.parts.clock.now();
    try {
      return await task(excusedMs);
    } finally {
      this.#free += 1;
      this.#admit();
    }
  }

  /** The service has answered a request with anything but a refusal for the rate. */
  answered(): void {
    this.#progress.answeredAt = this.parts.clock.now();
    this.#progress.answers += 1;
    this.#pace.accepted(this.#progress.answeredAt);
  }

  /** The service has refused a request for the rate: nobody passes for so long. */
  refused({ admittedAt }: Turn, pauseMs: number): void {
    if (!this.#pace.isLimited) this.parts.onLimited?.();
    this.#pace.refused(admittedAt, this.parts.clock.now(), pauseMs);
    this.#admit();
  }

  #enter(turn: Turn, patience: Patience): Promise<number> | number {
    const now = this.parts.clock.now();
    if (this.#line.size === 0 && this.#isOpen(now)) {
      this.#letOneIn(now);
      return 0;
    }
    patience.signal?.throwIfAborted();
    const waiter = new Waiter(turn, now, patience, this.#progress, (each) => this.#line.remove(each));
    this.#line.add(waiter);
    this.#admit();
    return waiter.admitted;
  }

  #isOpen(now: number): boolean {
    return this.#free > 0 && this.#pace.opensAt <= now;
  }

  #letOneIn(now: number): void {
    this.#free -= 1;
    this.#pace.sent(now);
  }

  /** Lets in who may go now, sends away whose patience is over, or will be before the pause is, and comes back when the next may go. */
  #admit(): void {
    const now = this.parts.clock.now();
    while (this.#isOpen(now)) {
      const waiter = this.#line.take();
      if (!waiter) return;
      this.#letOneIn(now);
      waiter.admit();
    }
    const pauseMs = Math.max(0, this.#pace.pausedUntil - now);
    for (const waiter of this.#line) if (waiter.patientUntil <= now + pauseMs) waiter.giveUp(pauseMs || undefined);
    // Where all places are taken, the next to leave makes room.
    if (this.#line.size > 0 && this.#free > 0) void this.#comeBack();
  }

  async #comeBack(): Promise<void> {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    await this.parts.clock.sleep(Math.max(1, this.#pace.opensAt - this.parts.clock.now()));
    this.#isAsleep = false;
    this.#admit();
  }
}
