import type { Clock } from "../../time/clock";
import { Pace } from "./pace";

interface GateParts {
  readonly capacity: number;
  readonly clock: Clock;
  /** Called once, after the first refusal for the rate. */
  readonly onLimited?: (() => void) | undefined;
}

export interface QueueLimits {
  /** The longest time without a response to any call of the process. */
  readonly stallTimeoutMs: number;
  /** The latest end of the wait, also if the API answers other calls. */
  readonly endsAt?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The API has answered no call for as long as this one may wait, or has asked for a longer pause. */
export class QueueStalledError extends Error {
  /** `pauseMs`: the rest of the pause that the API asked for, if that is the reason. */
  constructor(readonly pauseMs?: number) {
    super("the queue stands still");
  }
}

interface Waiter {
  readonly position: number;
  readonly queuedAt: number;
  readonly stallTimeoutMs: number;
  readonly endsAt: number;
  readonly admit: () => void;
  readonly giveUp: (reason: unknown) => void;
}

/**
 * All requests of the process pass here, so that they keep the API's rate limit together. At most `capacity` are under
 * way at a time. The others wait: first in, first out, so that none starves. After a first refusal, they are sent at a
 * `Pace`.
 *
 * As long as the API answers any call, waiting in the queue is normal: 500 creations at 20 a second take 25 seconds,
 * and none of them is late. So the time of a wait counts only from the last response to any call. If the API refuses
 * every call, or is silent, the queue stands still, and its calls give up after their `stallTimeoutMs`.
 */
export class RequestGate {
  /** Ordered by position. */
  readonly #waiting: Waiter[] = [];
  readonly #pace = new Pace();
  #lastResponseAt = -Infinity;
  #isRefusing = false;
  #free: number;
  #calls = 0;
  #isAsleep = false;
  #stallTimer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: GateParts) {
    this.#free = parts.capacity;
  }

  /** True if the last response to any call was a refusal for the rate. */
  get isRefusing(): boolean {
    return this.#isRefusing;
  }

  /**
   * The position of a new call in the queue. All attempts of the call keep it, so a refused call goes before all later
   * ones.
   */
  newPosition(): number {
    return ++this.#calls;
  }

  /**
   * Resolves when the call has its slot, with the part of the wait that does not count, in milliseconds. `leave` must
   * follow. Rejects with QueueStalledError if no call was answered for `stallTimeoutMs`, or if the API asked for a
   * longer pause. Rejects with the signal's reason if the signal is aborted meanwhile.
   */
  async enter(position: number, { stallTimeoutMs, endsAt = Infinity, signal }: QueueLimits): Promise<number> {
    const queuedAt = this.parts.clock.now();
    signal?.throwIfAborted();
    let onAbort: (() => void) | undefined;
    const wait = new Promise<number>((resolve, reject) => {
      const admit = (): void => resolve(this.#countsFrom(queuedAt) - queuedAt);
      const waiter: Waiter = { position, queuedAt, stallTimeoutMs, endsAt, admit, giveUp: reject };
      onAbort = () => this.#reject(waiter, signal?.reason);
      signal?.addEventListener("abort", onAbort);
      const before = this.#waiting.findLastIndex((other) => other.position < position);
      this.#waiting.splice(before + 1, 0, waiter);
      this.#admit();
    });
    return wait.finally(() => onAbort && signal?.removeEventListener("abort", onAbort));
  }

  /** Frees the slot of a request that has ended. */
  leave(): void {
    this.#free += 1;
    this.#admit();
  }

  /** Records a response other than a refusal for the rate. */
  recordResponse(): void {
    this.#lastResponseAt = this.parts.clock.now();
    this.#isRefusing = false;
    this.#pace.recordAccepted(this.#lastResponseAt);
  }

  /** Records that the rate limit refused a request, sent at `sentAt`. No other request is sent during the pause. */
  recordRefused(sentAt: number, pauseMs: number): void {
    if (!this.#pace.isLimited) this.parts.onLimited?.();
    this.#isRefusing = true;
    this.#pace.recordRefused(sentAt, this.parts.clock.now(), pauseMs);
    this.#admit();
  }

  /**
   * Admits the next requests of the queue, rejects those that have waited too long, and looks again when the next one
   * is due.
   */
  #admit(): void {
    const now = this.parts.clock.now();
    while (this.#free > 0 && this.#pace.opensAt <= now) {
      const waiter = this.#waiting.shift();
      if (!waiter) break;
      this.#free -= 1;
      this.#pace.recordSent(now);
      waiter.admit();
    }
    const pauseMs = Math.max(0, this.#pace.pausedUntil - now);
    for (const waiter of [...this.#waiting])
      if (this.#stalledAt(waiter) <= now + pauseMs) this.#reject(waiter, new QueueStalledError(pauseMs || undefined));
    clearTimeout(this.#stallTimer);
    if (this.#waiting.length === 0) return;
    // If no slot is free, the next request that ends calls this again. The timer is only for a silent service.
    if (this.#free > 0) void this.#admitWhenOpen();
    const stalledAt = Math.min(...this.#waiting.map((waiter) => this.#stalledAt(waiter)));
    this.#stallTimer = setTimeout(() => this.#admit(), stalledAt - now).unref();
  }

  async #admitWhenOpen(): Promise<void> {
    if (this.#isAsleep) return;
    this.#isAsleep = true;
    await this.parts.clock.sleep(Math.max(1, this.#pace.opensAt - this.parts.clock.now()));
    this.#isAsleep = false;
    this.#admit();
  }

  #reject(waiter: Waiter, reason: unknown): void {
    const index = this.#waiting.indexOf(waiter);
    if (index >= 0) this.#waiting.splice(index, 1);
    waiter.giveUp(reason);
  }

  #countsFrom(queuedAt: number): number {
    return Math.max(queuedAt, this.#lastResponseAt);
  }

  /** When the call gives up, if the API answers no call until then. */
  #stalledAt({ queuedAt, stallTimeoutMs, endsAt }: Waiter): number {
    return Math.min(this.#countsFrom(queuedAt) + stallTimeoutMs, endsAt);
  }
}
