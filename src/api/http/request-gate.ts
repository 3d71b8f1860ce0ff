import type { Clock } from "../../clock";
import { Pace } from "./pace";
import { RequestQueue, type Priority, type Slot } from "./request-queue";

export interface GateParts {
  /** How many requests may be under way. */
  readonly capacity: number;
  readonly clock: Clock;
  /** Called once, when the service refuses a request for the rate for the first time. */
  readonly onLimited?: (() => void) | undefined;
}

/** The limits of a wait in the queue. */
export interface QueueLimits {
  /** How long the service may leave everybody unanswered. */
  readonly stallTimeoutMs: number;
  /** The latest end of the wait, whoever is answered meanwhile. */
  readonly endsAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The service has answered nobody for as long as a call was ready to wait, or has asked for a longer pause. */
export class QueueStalledError extends Error {
  /** `pauseMs`: what is left of the pause that the service asked for, if that is the reason. */
  constructor(readonly pauseMs?: number) {
    super("the queue stands still");
  }
}

/** One call in the queue. */
interface Waiter {
  readonly slot: Slot;
  readonly queuedAt: number;
  readonly stallTimeoutMs: number;
  readonly endsAt: number;
  readonly admit: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * All requests of the process pass here, so that they keep the service's rate limit together: so many at a time, and, once
 * the service has refused one, at its `Pace` and in the order of a `WaitingLine`.
 *
 * Waiting in the queue is no fault of the service as long as it answers somebody: 500 creations at 20 a second take their
 * time, and none of them is late. So a wait counts only from the last answer that anybody got. If the service refuses
 * everybody, or is silent, the queue stands still, and those in it give up after their `stallTimeoutMs`.
 */
export class RequestGate {
  readonly #queue = new RequestQueue<Waiter>();
  readonly #pace = new Pace();
  #answeredAt = -Infinity;
  #free: number;
  #calls = 0;
  #isAsleep = false;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: GateParts) {
    this.#free = parts.capacity;
  }

  /** The claim of a new call. */
  slot(priority: Priority): Slot {
    return { priority, number: ++this.#calls };
  }

  /**
   * Resolves when it is the call's turn, with how much of the wait does not count; `leave` must follow. Rejects with
   * LineStandsStillError when nobody was answered for `stallTimeoutMs`, or the pause that the service asked for is longer; with
   * the signal's reason when that is aborted in the queue.
   */
  async enter(slot: Slot, { stallTimeoutMs, endsAt = Infinity, signal }: QueueLimits): Promise<number> {
    const queuedAt = this.parts.clock.now();
    if (this.#queue.isEmpty && this.#isOpen(queuedAt)) {
      this.#letOneIn(queuedAt);
      return 0;
    }
    signal?.throwIfAborted();
    let onAbort: (() => void) | undefined;
    const wait = new Promise<number>((resolve, reject) => {
      const admit = (): void => resolve(this.#countsFrom(queuedAt) - queuedAt);
      const waiter: Waiter = { slot, queuedAt, stallTimeoutMs, endsAt, admit, giveUp: reject };
      onAbort = () => this.#reject(waiter, signal?.reason);
      signal?.addEventListener("abort", onAbort);
      this.#queue.add(waiter);
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

  /** Lets in those whose turn it is, rejects those that have waited too long, and comes back when the next may go. */
  #admit(): void {
    const now = this.parts.clock.now();
    while (this.#isOpen(now)) {
      const waiter = this.#queue.take();
      if (!waiter) break;
      this.#letOneIn(now);
      waiter.admit();
    }
    const pauseMs = Math.max(0, this.#pace.pausedUntil - now);
    for (const waiter of this.#queue)
      if (this.#stalledAt(waiter) <= now + pauseMs) this.#reject(waiter, new QueueStalledError(pauseMs || undefined));
    clearTimeout(this.#stallTimer);
    if (this.#queue.isEmpty) return;
    // While all are under way, the next to leave makes room, unless the service is silent.
    if (this.#free > 0) void this.#comeBack();
    const patientUntil = Math.min(...[...this.#queue].map((waiter) => this.#stalledAt(waiter)));
    this.#stallTimer = setTimeout(() => this.#admit(), patientUntil - now).unref();
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

  #reject(waiter: Waiter, reason: unknown): void {
    this.#queue.remove(waiter);
    waiter.giveUp(reason);
  }

  #countsFrom(queuedAt: number): number {
    return Math.max(queuedAt, this.#answeredAt);
  }

  /** When the patience is over if nobody is answered from now on. */
  #stalledAt({ queuedAt, stallTimeoutMs, endsAt }: Waiter): number {
    return Math.min(this.#countsFrom(queuedAt) + stallTimeoutMs, endsAt);
  }
}
