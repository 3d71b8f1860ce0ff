import type { Clock } from "../../src/time/clock";

/** A clock that moves only by sleeps and on request. A sleep advances it and returns at once. */
export class VirtualClock implements Clock {
  readonly slept: number[] = [];
  private time: number;
  /** How long the machine has slept, which stops the clock of its processes. */
  sleptMs = 0;
  /** Called while somebody sleeps, for events elsewhere. */
  onSleep: (() => unknown) | undefined;

  constructor(private readonly startsAt = Date.parse("2026-01-01T00:00:00Z")) {
    this.time = startsAt;
  }

  now(): number {
    return this.time;
  }

  timeOfDay(): number {
    return this.time + this.sleptMs;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += Math.ceil(ms); // the real clock has whole milliseconds
    if (this.onSleep) await this.onSleep();
  }

  /** Goes back to its start. */
  restart(): void {
    this.time = this.startsAt;
    this.sleptMs = 0;
    this.onSleep = undefined;
  }

  advance(ms: number): void {
    this.time += ms;
  }
}
