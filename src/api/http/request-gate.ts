import type { Clock } from "../../process/clock";
import { Pace } from "./pace";

export interface GateParts {
  readonly capacity: number;
  readonly clock: Clock;
  /** Called once, when the service refuses a request for the rate for the first time. */
  readonly onLimited?: (() => void) | undefined;
}

export interface QueueLimits {
  /** How long the service may answer no call at all. */
  readonly stallTimeoutMs: number;
  /** The latest end of the wait, even if the service answers other calls. */
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
 * the service has refused one, at its `Pace` and in the order of a `RequestQueue`.
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

  slot(priority: Priority): Slot {
    return { priority, number: ++this.#calls };
  }

  /**
   * Resolves when the call has its slot, with how much of the wait does not count; `leave` must follow. Rejects with
   * QueueStalledError when nobody was answered for `stallTimeoutMs`, or the pause that the service asked for is longer; with
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

  /** The service has refused a request for the rate that was sent at that moment: no other passes during the pause. */
  refused(sentAt: number, pauseMs: number): void {
    if (!this.#pace.isLimited) this.parts.onLimited?.();
    this.#pace.refused(sentAt, this.parts.clock.now(), pauseMs);
    this.#admit();
  }

  /** Admits the next requests of the queue, rejects those that have waited too long, and looks again when the next one is due. */
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
    const stalledAt = Math.min(...[...this.#queue].map((waiter) => this.#stalledAt(waiter)));
    this.#stallTimer = setTimeout(() => this.#admit(), stalledAt - now).unref();
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

  /** When the call gives up if the service answers no call from now on. */
  #stalledAt({ queuedAt, stallTimeoutMs, endsAt }: Waiter): number {
    return Math.min(this.#countsFrom(queuedAt) + stallTimeoutMs, endsAt);
  }
}

export type Priority = "mutation" | "read" | "quote" | "poll";

/** A call's place in the queue: its purpose, and when it came. All attempts of the call keep it. */
export interface Slot {
  readonly priority: Priority;
  /** Grows with each call. */
  readonly number: number;
}

/**
 * The order of slots while calls of several priorities wait. Changes, reads and prices get equal shares. Polls get fewer, because one poll
 * sees all operations.
 */
export const SLOT_ORDER: readonly Priority[] = [
  ...Array.from({ length: 4 }, () => ["mutation", "read", "quote"] as const).flat(),
  "poll",
];

/**
 * The calls that wait for a slot. Within a priority, the first to come is the first to go. Priorities take turns, so that none
 * starves.
 */
export class RequestQueue<T extends { readonly slot: Slot }> implements Iterable<T> {
  readonly #waiting: Readonly<Record<Priority, T[]>> = { mutation: [], read: [], quote: [], poll: [] };
  readonly #order = forever(SLOT_ORDER);

  get isEmpty(): boolean {
    return Object.values(this.#waiting).every(({ length }) => length === 0);
  }

  /** A refused call keeps its place before all later calls. */
  add(item: T): void {
    const calls = this.#waiting[item.slot.priority];
    const before = calls.findLastIndex(({ slot }) => slot.number < item.slot.number);
    calls.splice(before + 1, 0, item);
  }

  /** Takes the next call out of the queue. Undefined if none waits. */
  take(): T | undefined {
    for (let looked = 0; looked < SLOT_ORDER.length; looked += 1) {
      const item = this.#waiting[this.#order.next().value].shift();
      if (item) return item;
    }
    return undefined;
  }

  remove(item: T): void {
    const calls = this.#waiting[item.slot.priority];
    const index = calls.indexOf(item);
    if (index >= 0) calls.splice(index, 1);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (const calls of Object.values(this.#waiting)) yield* [...calls];
  }
}

function* forever<T>(items: readonly T[]): Generator<T, never> {
  for (;;) yield* items;
}
