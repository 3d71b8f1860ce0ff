/** Requests that a network has kept: the client has given them up, and they reach the service at their time. */
export class LateDeliveries {
  #waiting: { readonly atMs: number; readonly deliver: () => Promise<unknown> }[] = [];

  add(atMs: number, deliver: () => Promise<unknown>): void {
    this.#waiting.push({ atMs, deliver });
  }

  /** Delivers what is due by then, one after the other. */
  async deliver(nowMs: number): Promise<void> {
    const due = this.#waiting.filter(({ atMs }) => atMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > nowMs);
    for (const { deliver } of due) await deliver();
  }
}
