/** An object of a table, and its position in the order of creation. */
export interface Entry<T> {
  readonly position: number;
  value: T;
}

/** Objects by their ids, oldest first. */
export type Partition<T> = ReadonlyMap<string, Entry<T>>;

/** How late the API shows a change, in milliseconds. 0: at once. */
export interface Lag {
  /** For this time, the address of a new object answers 404. */
  readonly readsMs: number;
  /** Lists show the objects as they were this long ago. */
  readonly listsMs: number;
  /** The list of audit logs shows them as they were this long ago. */
  readonly auditMs: number;
}

export const noLag: Lag = { readsMs: 0, listsMs: 0, auditMs: 0 };

interface LagView {
  readonly lagMs: number;
  /** Milliseconds since the epoch, on the service's clock. */
  now(): number;
  /** True while a list is being answered. Other answers are never late. */
  isListing(): boolean;
}

/** A copy that applies each change only after the lag. */
class LaggingCopy<C> {
  readonly #waiting: { readonly atMs: number; readonly change: (copy: C) => void }[] = [];

  constructor(
    private readonly view: LagView,
    private readonly copy: C,
  ) {}

  /** Records a change that was just made. */
  later(change: (copy: C) => void): void {
    this.#waiting.push({ atMs: this.view.now(), change });
  }

  /** The late copy, if lists must show it. */
  shown(): C | undefined {
    if (!this.view.isListing()) return undefined;
    const untilMs = this.view.now() - this.view.lagMs;
    const first = this.#waiting.findIndex(({ atMs }) => atMs > untilMs);
    for (const { change } of this.#waiting.splice(0, first < 0 ? this.#waiting.length : first)) change(this.copy);
    return this.copy;
  }
}

const nothing = new Map<string, never>();

/**
 * The objects of one kind. It finds an object by id directly. It lists a partition (the project of a connection, the
 * VPC of a firewall rule) in the order of creation, without reading other partitions.
 */
export class Table<T extends { readonly id: string }> {
  readonly #byId = new Map<string, Entry<T>>();
  readonly #partitions = new Map<string, Map<string, Entry<T>>>();
  #nextPosition = 1;
  #late: LaggingCopy<Table<T>> | undefined;

  /** `partitionOf` names the partition an object is listed in; it must not change during the object's life. */
  constructor(private readonly partitionOf: (value: T) => string) {}

  insert(value: T): void {
    const position = this.#nextPosition++;
    this.#append({ position, value });
    this.#late?.later((copy) => copy.#append({ position, value }));
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)?.value;
  }

  /** Changes members of an object. Does nothing if the object no longer exists. */
  update(id: string, changes: Partial<T>): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    entry.value = { ...entry.value, ...changes };
    this.#late?.later((copy) => copy.update(id, changes));
  }

  remove(id: string): void {
    const entry = this.#byId.get(id);
    if (!entry) return;
    this.#byId.delete(id);
    const name = this.partitionOf(entry.value);
    const partition = this.#partitions.get(name);
    partition?.delete(id);
    if (partition?.size === 0) this.#partitions.delete(name);
    this.#late?.later((copy) => copy.remove(id));
  }

  /** The objects of one partition. Empty if there are none. */
  partition(name: string): Partition<T> {
    return (this.#late?.shown() ?? this).#partitions.get(name) ?? nothing;
  }

  /** Makes lists show the table as it was some time ago. A lag of 0 ends that. */
  lagBehind(view: LagView): void {
    const copy = new Table<T>(this.partitionOf);
    for (const { position, value } of this.#byId.values()) copy.#append({ position, value });
    this.#late = view.lagMs > 0 ? new LaggingCopy(view, copy) : undefined;
  }

  *all(): Generator<T> {
    for (const entry of this.#byId.values()) yield entry.value;
  }

  #append(entry: Entry<T>): void {
    this.#byId.set(entry.value.id, entry);
    const name = this.partitionOf(entry.value);
    let partition = this.#partitions.get(name);
    if (!partition) this.#partitions.set(name, (partition = new Map<string, Entry<T>>()));
    partition.set(entry.value.id, entry);
  }
}
