import type { ResourceStatus } from "../schemas/primitives";
import { conflict } from "./rejection";
import type { Effects, LifecycleWorld } from "./effects";
import type { OperationFault, OperationRecord, OperationRequest } from "./operations";
import { type QuotaAmount, quotaDifference } from "./quota-ledger";
import { Table } from "./table";
import { formatTimestamp } from "./time";

export interface StoredObject {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
  /** Absent if no operation changes it. */
  readonly status?: ResourceStatus;
}

type Members = Readonly<Record<string, unknown>>;

interface InFlight {
  base: "creating" | "ready" | "error";
  /** The quota that each running update takes in addition, from its request on. */
  readonly increases: Set<readonly QuotaAmount[]>;
  deletes: number;
}

/** An object that was never ready is not billed. */
const isBilled = ({ status }: StoredObject): boolean => !["creating", "pending", "error"].includes(status ?? "ready");

/**
 * Creates, changes and deletes the objects of one kind, at once or by operations. The specification shows no states;
 * they are chosen here. A change shows when its operation is done. A failed change leaves the object as it was; a
 * failed creation leaves it in `error`. Only changing an object that is being deleted is a conflict. The API accepts
 * mutations while others run, so that an object whose operation hangs can be deleted.
 */
export class ObjectLifecycle<T extends StoredObject, W extends LifecycleWorld = LifecycleWorld> {
  readonly table: Table<T>;
  readonly #inFlight = new Map<string, InFlight>();

  constructor(
    private readonly model: Effects<T, W>,
    private readonly world: W,
  ) {
    const name = model.parent?.idParameter ?? "project_id";
    this.table = new Table((object) => (model.isOfOrganization ? "" : String((object as unknown as Members)[name])));
  }

  insert(object: T): void {
    this.requireRoom(object);
    this.put(object);
  }

  /** Throws a conflict if the quotas have no room for a new object, or for a change of one. */
  requireRoom(after: T, before?: T): void {
    this.world.quotas.requireRoom(this.world.regionOf(this.model, after), this.#difference(after, before));
  }

  /** The amounts that the objects in a region take of their quotas, with the increases of running updates. */
  *quotaHeldIn(region: string): Generator<QuotaAmount> {
    if (!this.model.quota) return;
    for (const object of this.table.all()) {
      if (this.world.regionOf(this.model, object) !== region) continue;
      yield* this.#quotaOf(object);
      for (const increase of this.#inFlight.get(object.id)?.increases ?? []) yield* increase;
    }
  }

  /** Adds an object without checking quotas, or replaces the one with the same id. */
  put(object: T): void {
    this.table.remove(object.id);
    this.table.insert(object);
    if (isBilled(object)) this.#bill(object);
    else this.world.billing.endBill(object.id);
  }

  /** Changes members of an object at once, in any state. Does nothing if the object does not exist. */
  change(id: string, members: Partial<T>): void {
    const before = this.table.get(id);
    if (!before) return;
    const after = { ...before, ...members };
    this.table.update(id, members);
    if (isBilled(after)) this.#bill(after);
    this.model.afterUpdate?.(before, after, this.world);
  }

  remove(id: string): void {
    const object = this.table.get(id);
    if (object) this.#drop(object);
  }

  /** Adds an object that shows `creating` until its operation is done. */
  create(object: T, fault: OperationFault | undefined): OperationRecord {
    this.requireRoom(object);
    this.table.insert({ ...object, status: "creating" });
    this.#inFlight.set(object.id, { base: "creating", increases: new Set(), deletes: 0 });
    return this.#start("create", object, {
      fault,
      onDone: (state, atMs) => {
        state.base = "ready";
        const ready = {
          ...object,
          ...this.model.readyMembers?.(object, this.world),
          updated_at: formatTimestamp(atMs),
        };
        this.table.update(object.id, ready);
        this.#bill(ready);
        this.model.afterCreate?.(ready, this.world);
      },
      onFailed: (state) => (state.base = "error"),
    });
  }

  /** Changes members of an object once the operation is done. */
  update(
    object: T,
    members: Partial<T>,
    { type, changes, fault }: Pick<OperationRequest, "type" | "changes" | "fault">,
  ): OperationRecord {
    const inFlight = this.#stateOf(object);
    if (inFlight.deletes > 0) throw conflict("the resource is being deleted");
    const increase = this.#difference({ ...object, ...members }, object).filter(({ amount }) => amount > 0);
    this.world.quotas.requireRoom(this.world.regionOf(this.model, object), increase);
    inFlight.increases.add(increase);
    return this.#start(type, object, {
      fault,
      changes,
      onDone: (state, atMs) => {
        state.increases.delete(increase);
        const before = this.table.get(object.id) ?? object;
        const after = { ...before, ...members, updated_at: formatTimestamp(atMs) };
        this.table.update(object.id, after);
        if (state.base === "ready") this.#bill(after);
        this.model.afterUpdate?.(before, after, this.world);
      },
      onFailed: (state) => state.increases.delete(increase),
    });
  }

  /** Removes an object once the operation is done. */
  delete(object: T, fault: OperationFault | undefined): OperationRecord {
    this.#stateOf(object).deletes += 1;
    return this.#start("delete", object, {
      fault,
      onDone: () => {
        this.#drop(this.table.get(object.id) ?? object);
      },
      onFailed: (state) => (state.deletes -= 1),
    });
  }

  #quotaOf(object: T): readonly QuotaAmount[] {
    return this.model.quota?.(object, this.world) ?? [];
  }

  #bill(object: T): void {
    if (!this.model.usage) return;
    const location = {
      projectId: this.world.projectOf(this.model, object) ?? "",
      region: this.world.regionOf(this.model, object),
    };
    const resource = { id: object.id, resourceType: this.model.kind, ...location };
    this.world.billing.bill(resource, this.model.usage(object, this.world));
  }

  /** The additional quota amounts of a change; all amounts for a new object. */
  #difference(after: T, before?: T): readonly QuotaAmount[] {
    const uses = this.#quotaOf(after);
    return before ? quotaDifference(uses, this.#quotaOf(before)) : uses;
  }

  #drop(object: T): void {
    // Its other operations end without effect.
    this.#inFlight.delete(object.id);
    this.table.remove(object.id);
    this.world.billing.endBill(object.id);
    this.world.removeParts(this.model, object.id);
    this.model.afterDelete?.(object, this.world);
  }

  #start(
    type: OperationRequest["type"],
    object: T,
    effects: Pick<OperationRequest, "fault" | "changes"> & {
      readonly onDone: (state: InFlight, atMs: number) => void;
      readonly onFailed: (state: InFlight) => unknown;
    },
  ): OperationRecord {
    const apply = (effect: (state: InFlight) => unknown): void => {
      const state = this.#inFlight.get(object.id);
      if (!state) return;
      effect(state);
      this.#showStatus(object.id);
    };
    this.#showStatus(object.id);
    return this.world.operations.start({
      kind: this.model.kind,
      type,
      projectId: this.world.projectOf(this.model, object) ?? "",
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
      state = {
        base: status === "error" || status === "creating" ? status : "ready",
        increases: new Set(),
        deletes: 0,
      };
      this.#inFlight.set(object.id, state);
    }
    return state;
  }

  #showStatus(id: string): void {
    const state = this.#inFlight.get(id);
    if (!state) return;
    const { base, increases, deletes } = state;
    const isUpdating = increases.size > 0;
    const status: ResourceStatus = deletes > 0 ? "deleting" : isUpdating && base === "ready" ? "updating" : base;
    this.table.update(id, { status } as Partial<T>);
    if (base !== "creating" && !isUpdating && deletes === 0) this.#inFlight.delete(id);
  }
}
