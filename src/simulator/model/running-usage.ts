import type { Usage } from "./prices";

/** What of each dimension runs in the organization: kept up as resources come, change and go, never counted anew. */
export class RunningUsage {
  readonly #quantities = new Map<string, number>();

  add(usages: readonly Usage[]): void {
    for (const { dimension, quantity } of usages) this.#change(dimension, quantity);
  }

  remove(usages: readonly Usage[]): void {
    for (const { dimension, quantity } of usages) this.#change(dimension, -quantity);
  }

  *all(): Generator<Usage> {
    for (const [dimension, quantity] of this.#quantities) yield { dimension, quantity };
  }

  #change(dimension: string, quantity: number): void {
    this.#quantities.set(dimension, (this.#quantities.get(dimension) ?? 0) + quantity);
  }
}
