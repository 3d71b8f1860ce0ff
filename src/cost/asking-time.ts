import type { Clock } from "../clock";

/** The time that a run spends on questions, and its limit. While several are under way, the time counts once. */
export class AskingTime {
  #spentMs = 0;
  #underWay = 0;
  #busySince = 0;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {}

  /** Zero or less after the limit. */
  get leftMs(): number {
    return this.limitMs - this.#spentMs - (this.#underWay > 0 ? this.clock.now() - this.#busySince : 0);
  }

  /** Counts the time until the answer. */
  async spend<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#underWay === 0) this.#busySince = this.clock.now();
    this.#underWay += 1;
    try {
      return await ask();
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#spentMs += this.clock.now() - this.#busySince;
    }
  }
}
