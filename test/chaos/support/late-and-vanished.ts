import { hidden, jsonOf, rewriteItems } from "../../support/proxy/actions";
import type { Action } from "../../support/proxy/exchange";

/** Requests that the network has delayed. The client has given up on them, and they reach the service later. */
export class LateDeliveries {
  #waiting: { readonly atMs: number; readonly deliver: () => Promise<unknown> }[] = [];

  add(atMs: number, deliver: () => Promise<unknown>): void {
    this.#waiting.push({ atMs, deliver });
  }

  /** Delivers the due requests in order. */
  async deliver(nowMs: number): Promise<void> {
    const due = this.#waiting.filter(({ atMs }) => atMs <= nowMs);
    this.#waiting = this.#waiting.filter(({ atMs }) => atMs > nowMs);
    for (const { deliver } of due) await deliver();
  }
}

/** Operations that the API no longer knows. */
export class VanishedOperations {
  readonly #ids = new Set<string>();

  /** Adds the operation in an answer, if there is one. */
  add(body: string): void {
    const { id, resource_id } = jsonOf(body) ?? {};
    if (typeof id === "string" && typeof resource_id === "string") this.#ids.add(id);
  }

  /** Changes the API's answers to requests that would show such an operation. */
  action(path: string): Action | undefined {
    const match = /^\/v1\/operations(?:\/([^/?]+))?(?:\?|$)/.exec(path);
    if (this.#ids.size === 0 || match === null) return undefined;
    const [, id] = match;
    if (id !== undefined) return this.#ids.has(id.toLowerCase()) ? hidden : undefined;
    return rewriteItems((items) => items.filter((item) => !this.#ids.has(String(item["id"]))));
  }
}
