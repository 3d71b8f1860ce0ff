import type { Dimension, Usage } from "./prices";

/** What of each dimension runs in the organization: kept up as resources come and go, never counted anew. */
export class RunningUsage {
  readonly #quantities = new Map<Dimension, number>();

  add(usages: readonly Usage[]): void {
    for (const { dimension, quantity } of usages) {
      this.#quantities.set(dimension, (this.#quantities.get(dimension) ?? 0) + quantity);
    }
  }

  remove(usages: readonly Usage[]): void {
    this.add(usages.map(({ dimension, quantity }) => ({ dimension, quantity: -quantity })));
  }

  *all(): Generator<Usage> {
    for (const [dimension, quantity] of this.#quantities) yield { dimension, quantity };
  }
}
