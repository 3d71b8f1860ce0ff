/** How long after it happened the API shows a change, in milliseconds; 0: at once. */
export interface Lag {
  /** A new object's own address answers 404 that long. */
  readonly readsMs: number;
  /** Lists show the objects as they were that long ago. */
  readonly listsMs: number;
  /** The same for the list of audit logs. */
  readonly auditMs: number;
}

export const noLag: Lag = { readsMs: 0, listsMs: 0, auditMs: 0 };

/** The time source and lag of a table. */
export interface LateView {
  readonly lagMs: number;
  /** Milliseconds since the epoch, on the service's clock. */
  now(): number;
  /** Whether a list is being answered: nothing else is late. */
  isListing(): boolean;
}

/** A copy that each change reaches some time after it was made. */
export class LateCopy<C> {
  readonly #waiting: { readonly atMs: number; readonly change: (copy: C) => void }[] = [];

  constructor(
    private readonly view: LateView,
    private readonly copy: C,
  ) {}

  /** Takes note of a change that was made just now. */
  later(change: (copy: C) => void): void {
    this.#waiting.push({ atMs: this.view.now(), change });
  }

  /** The copy, if lists must show it. */
  shown(): C | undefined {
    if (!this.view.isListing()) return undefined;
    const untilMs = this.view.now() - this.view.lagMs;
    const first = this.#waiting.findIndex(({ atMs }) => atMs > untilMs);
    for (const { change } of this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)) change(this.copy);
    return this.copy;
  }
}
