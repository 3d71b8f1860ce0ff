import type { ResourceStatus } from "../schemas/primitives";
import { conflict } from "./api-error";
import type { FieldChanges, OperationFault, OperationRecord, Operations } from "./operations";
import { Quotas, type QuotaUse } from "./quotas";
import type { Table } from "./table";
import { formatTimestamp } from "./timestamp";

/** The members of every object. */
export interface Stored {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Absent if no operation changes it. */
  readonly status?: ResourceStatus;
}

/** The effects of a creation, change or deletion on quotas, the bill and other objects. */
export interface LifecycleHooks<T> {
  readonly operationKind: string;
  projectOf(object: T): string;
  /** The quota amounts of an object in its region. */
  quotaOf(object: T): readonly QuotaUse[];
  regionOf(object: T): string;
  /** Starts or stops billing an object. */
  bill(change: "start" | "stop", object: T): void;
  /** The members that a finished creation fills in. */
  readyMembers(object: T): Partial<T>;
  afterCreate(object: T): void;
  afterUpdate(before: T, after: T): void;
  beforeRemove(object: T): void;
  afterDelete(object: T): void;
}

/** The operations on an object. */
interface InFlight {
  base: "creating" | "ready" | "error";
  updates: number;
  deletes: number;
}

/** An object that was never ready is not billed. */
const isBilled = ({ status }: Stored): boolean => !["creating", "pending", "error"].includes(status ?? "ready");

/**
 * Creates, changes and deletes the objects of one kind: at once, or by operations (states not shown; chosen here). A change
 * shows when its operation is done. A failed change leaves the object as it was; a failed creation leaves it in `error`. Only
 * a change of an object that is being deleted is a conflict. Mutations are accepted while others run, so that an object whose
 * operation hangs can be deleted.
 */
export class Lifecycle<T extends Stored> {
  readonly #inFlight = new Map<string, InFlight>();

  constructor(
    readonly table: Table<T>,
    private readonly operations: Operations,
    private readonly quotas: Quotas,
    private readonly hooks: LifecycleHooks<T>,
  ) {}

  /** Adds an object at once. */
  insert(object: T): void {
    this.requireRoom(object);
    this.put(object);
  }

  /** Throws a conflict if the quotas have no room for a new object, or for a change of one. */
  requireRoom(after: T, before?: T): void {
    this.quotas.requireRoom(this.hooks.regionOf(after), this.#difference(after, before));
  }

  /** Adds an object without checking quotas, or replaces the one with the same id. */
  put(object: T): void {
    const before = this.table.get(object.id);
    if (before) {
      this.#count(before, Quotas.difference([], this.hooks.quotaOf(before)));
      this.table.remove(before.id);
      if (isBilled(before)) this.hooks.bill("stop", before);
    }
    this.#count(object, this.hooks.quotaOf(object));
    this.table.insert(object);
    if (isBilled(object)) this.hooks.bill("start", object);
  }

  /** Changes members of an object at once, in any state. Does nothing if the object no longer exists. */
  change(id: string, members: Partial<T>): void {
    const before = this.table.get(id);
    if (!before) return;
    const after = { ...before, ...members };
    this.#count(after, this.#difference(after, before));
    if (isBilled(before)) this.hooks.bill("stop", before);
    this.table.update(id, members);
    if (isBilled(after)) this.hooks.bill("start", after);
    this.hooks.afterUpdate(before, after);
  }

  /** Removes an object at once. */
  remove(id: string): void {
    const object = this.table.get(id);
    if (object) this.#drop(object, isBilled(object));
  }

  /** Adds an object that shows `creating` until its operation is done. */
  create(object: T, fault: OperationFault | undefined): OperationRecord {
    this.requireRoom(object);
    this.#count(object, this.hooks.quotaOf(object));
    this.table.insert({ ...object, status: "creating" });
    this.#inFlight.set(object.id, { base: "creating", updates: 0, deletes: 0 });
    return this.#start("create", object, {
      fault,
      onDone: (state, atMs) => {
        state.base = "ready";
        const ready = { ...object, ...this.hooks.readyMembers(object), updated_at: formatTimestamp(atMs) };
        this.table.update(object.id, ready);
        this.hooks.bill("start", ready);
        this.hooks.afterCreate(ready);
      },
      onFailed: (state) => (state.base = "error"),
    });
  }

  /** Changes members of an object once the operation is done. */
  update(
    object: T,
    members: Partial<T>,
    {
      changes,
      fault,
      type = "update",
    }: Pick<OperationRecord, "changes"> & {
      readonly fault: OperationFault | undefined;
      readonly type?: "update" | "restart";
    },
  ): OperationRecord {
    const inFlight = this.#stateOf(object);
    if (inFlight.deletes > 0) throw conflict("the resource is being deleted");
    // Takes additional quota at once, so that nobody else gets it.
    const growth = this.#difference({ ...object, ...members }, object).filter(({ amount }) => amount > 0);
    this.quotas.requireRoom(this.hooks.regionOf(object), growth);
    this.#count(object, growth);
    const giveBack = (): void => this.#count(object, Quotas.difference([], growth));
    inFlight.updates += 1;
    return this.#start(type, object, {
      fault,
      changes,
      onDone: (state, atMs) => {
        state.updates -= 1;
        const before = this.table.get(object.id) ?? object;
        const after = { ...before, ...members, updated_at: formatTimestamp(atMs) };
        this.table.update(object.id, after);
        giveBack();
        this.#count(after, this.#difference(after, before));
        if (state.base === "ready") {
          this.hooks.bill("stop", before);
          this.hooks.bill("start", after);
        }
        this.hooks.afterUpdate(before, after);
      },
      onFailed: (state) => {
        state.updates -= 1;
        giveBack();
      },
      onGone: giveBack,
    });
  }

  /** Removes an object once the operation is done. */
  delete(object: T, fault: OperationFault | undefined): OperationRecord {
    this.#stateOf(object).deletes += 1;
    return this.#start("delete", object, {
      fault,
      onDone: (state) => {
        this.#drop(this.table.get(object.id) ?? object, state.base === "ready");
      },
      onFailed: (state) => (state.deletes -= 1),
    });
  }

  /** The additional amounts of an object; all of them for a new one. */
  #difference(after: T, before?: T): readonly QuotaUse[] {
    const uses = this.hooks.quotaOf(after);
    return before ? Quotas.difference(uses, this.hooks.quotaOf(before)) : uses;
  }

  #count(object: T, uses: readonly QuotaUse[]): void {
    if (uses.length > 0) this.quotas.add(this.hooks.regionOf(object), uses);
  }

  #drop(object: T, isBilledNow: boolean): void {
    this.hooks.beforeRemove(object);
    // Its other operations end without effect.
    this.#inFlight.delete(object.id);
    this.table.remove(object.id);
    this.#count(object, Quotas.difference([], this.hooks.quotaOf(object)));
    if (isBilledNow) this.hooks.bill("stop", object);
    this.hooks.afterDelete(object);
  }

  #start(
    type: OperationRecord["type"],
    object: T,
    effects: {
      readonly fault: OperationFault | undefined;
      readonly changes?: FieldChanges | undefined;
      readonly onDone: (state: InFlight, atMs: number) => void;
      readonly onFailed: (state: InFlight) => unknown;
      readonly onGone?: () => void;
    },
  ): OperationRecord {
    const apply = (effect: (state: InFlight) => unknown): void => {
      const state = this.#inFlight.get(object.id);
      if (!state) {
        effects.onGone?.();
        return;
      }
      effect(state);
      this.#showStatus(object.id);
    };
    this.#showStatus(object.id);
    return this.operations.start({
      kind: this.hooks.operationKind,
      type,
      projectId: this.hooks.projectOf(object),
      resourceId: object.id,
      changes: effects.changes,
      fault: effects.fault,
      onDone: (atMs) => apply((state) => effects.onDone(state, atMs)),
      onFailed: () => apply(effects.onFailed),
    });
  }

  #stateOf(object: T): InFlight {
    let state = this.#inFlight.get(object.id);
    if (!state) {
      const { status } = object;
      state = { base: status === "error" || status === "creating" ? status : "ready", updates: 0, deletes: 0 };
      this.#inFlight.set(object.id, state);
    }
    return state;
  }

  #showStatus(id: string): void {
    const state = this.#inFlight.get(id);
    if (!state) return;
    const { base, updates, deletes } = state;
    const status: ResourceStatus = deletes > 0 ? "deleting" : updates > 0 && base === "ready" ? "updating" : base;
    this.table.update(id, { status } as Partial<T>);
    if (base !== "creating" && updates === 0 && deletes === 0) this.#inFlight.delete(id);
  }
}
