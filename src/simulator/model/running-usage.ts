import type { Usage } from "./prices";

/** The running quantity of each dimension in the organization. It is updated with each change, and never counted again. */
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
