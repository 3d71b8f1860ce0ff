import type { ResourceStatus } from "../schemas/primitives";
import { conflict } from "./api-error";
import type { FieldChanges, OperationFault, OperationKind, OperationRecord, Operations } from "./operations";
import type { Table } from "./table";
import { formatTimestamp } from "./timestamp";

/** What every resource with a lifecycle has. */
export interface Resource {
  readonly id: string;
  readonly status: ResourceStatus;
  readonly updated_at: string;
}

/** What a kind of resource does as its objects come and go. */
export interface LifecycleHooks<T> {
  readonly projectOf: (object: T) => string;
  /** What a finished creation fills in. */
  readonly whenReady?: (object: T) => Partial<T>;
  readonly onReady: (object: T) => void;
  /** `wasReady` is false for what never got ready. */
  readonly onGone: (object: T, wasReady: boolean) => void;
}

interface InFlight {
  base: "creating" | "ready" | "error";
  updates: number;
  deletes: number;
}

/**
 * The states of resources whose mutations run as operations (not shown; chosen here). A change shows when its operation
 * is done. What fails leaves the object as it was, a failed creation leaves it in `error`. Anything but a second delete
 * of what is being deleted is a conflict; mutations are taken while others run, so that what hangs can still be deleted.
 */
export class Lifecycle<T extends Resource> {
  readonly #kind: OperationKind;
  readonly #table: Table<T>;
  readonly #operations: Operations;
  readonly #hooks: LifecycleHooks<T>;
  readonly #inFlight = new Map<string, InFlight>();

  constructor(kind: OperationKind, table: Table<T>, operations: Operations, hooks: LifecycleHooks<T>) {
    this.#kind = kind;
    this.#table = table;
    this.#operations = operations;
    this.#hooks = hooks;
  }

  /** Takes a new object, visible from now on as `creating`. */
  create(object: T, fault: OperationFault | undefined): OperationRecord {
    this.#table.insert({ ...object, status: "creating" });
    this.#inFlight.set(object.id, { base: "creating", updates: 0, deletes: 0 });
    return this.#start("create", object, {
      fault,
      onDone: (state, atMs) => {
        state.base = "ready";
        this.#change(object.id, this.#hooks.whenReady?.(object) ?? {}, atMs);
        this.#hooks.onReady(object);
      },
      onFailed: (state) => {
        state.base = "error";
      },
    });
  }

  /** Changes members of an object once the operation is done. */
  update(object: T, members: Partial<T>, changes: FieldChanges, fault: OperationFault | undefined): OperationRecord {
    const inFlight = this.#stateOf(object);
    if (inFlight.deletes > 0) throw conflict("the resource is being deleted");
    inFlight.updates += 1;
    return this.#start("update", object, {
      fault,
      changes,
      onDone: (state, atMs) => {
        state.updates -= 1;
        this.#change(object.id, members, atMs);
      },
      onFailed: (state) => {
        state.updates -= 1;
      },
    });
  }

  /** Removes an object once the operation is done. */
  delete(object: T, fault: OperationFault | undefined): OperationRecord {
    this.#stateOf(object).deletes += 1;
    return this.#start("delete", object, {
      fault,
      onDone: (state) => {
        const last = this.#table.get(object.id) ?? object;
        this.#table.remove(object.id);
        this.#inFlight.delete(object.id);
        this.#hooks.onGone(last, state.base === "ready");
      },
      onFailed: (state) => {
        state.deletes -= 1;
      },
    });
  }

  #start(
    type: OperationRecord["type"],
    object: T,
    effects: {
      readonly fault: OperationFault | undefined;
      readonly changes?: FieldChanges;
      readonly onDone: (state: InFlight, atMs: number) => void;
      readonly onFailed: (state: InFlight) => void;
    },
  ): OperationRecord {
    // An object that is gone has no state in flight: what still ran on it ends without effect.
    const land = (effect: (state: InFlight) => void): void => {
      const state = this.#inFlight.get(object.id);
      if (!state) return;
      effect(state);
      this.#showStatus(object.id);
    };
    this.#showStatus(object.id);
    return this.#operations.start({
      kind: this.#kind,
      type,
      projectId: this.#hooks.projectOf(object),
      resourceId: object.id,
      changes: effects.changes,
      fault: effects.fault,
      onDone: (atMs) => {
        land((state) => effects.onDone(state, atMs));
      },
      onFailed: () => {
        land(effects.onFailed);
      },
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

  #change(id: string, members: Partial<T>, atMs: number): void {
    this.#table.update(id, { ...members, updated_at: formatTimestamp(atMs) });
  }

  #showStatus(id: string): void {
    const state = this.#inFlight.get(id);
    if (!state) return;
    const { base, updates, deletes } = state;
    const status: ResourceStatus = deletes > 0 ? "deleting" : updates > 0 && base === "ready" ? "updating" : base;
    this.#table.update(id, { status } as Partial<T>);
    if (base !== "creating" && updates === 0 && deletes === 0) this.#inFlight.delete(id);
  }
}
