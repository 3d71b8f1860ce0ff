import type { SimulatorSettings } from "../options";
import type { ApiKey, ResourceType } from "../schemas/api-key";
import { Billing } from "./billing";
import { ApiKeySecrets, apiKeyStatus, type Caller, callerOf, hashSecret, OwnerSettings } from "./callers";
import type { Effects } from "./effects";
import { ObjectLifecycle, type StoredObject } from "./object-lifecycle";
import { Operations } from "./operations";
import { type PriceList, Prices } from "./prices";
import { type QuotaAmount, QuotaLedger } from "./quota-ledger";
import { AuditLogs } from "./records";
import { type Lag, noLag, type Partition, type Table } from "./table";
import { formatTimestamp, type SimulatedClock } from "./time";

/** The part of a noun that the world needs. nouns/noun.ts has the rest. */
export interface ObjectModel<T extends StoredObject = StoredObject> extends Effects<T, World> {
  /** As in `firewallRules`: the name of its objects in the state. */
  readonly key: string;
  readonly parent?: ObjectModel;
  /** True if each parent has at most one. Its path then has no id and no list. */
  readonly isSingleton?: boolean;
  /** The projects that a caller must reach to see an object, if not its `project_id`. */
  scopeOf?(object: T): readonly string[];
  readonly prices?: PriceList;
  /** The objects of a new world. `times` are the timestamps of an object created now. */
  seed?(world: World, times: Pick<StoredObject, "created_at" | "updated_at">): readonly T[];
  /** As in `connect connection`. */
  readonly noun: string;
  readonly resourceType: ResourceType;
  /** The name of the path parameter with an object's id, and of the member of its sub-resources. */
  readonly idParameter: string;
}

/** Everything that the organization has: the state behind the services. A reset creates a new world. */
export class World {
  readonly secrets = new ApiKeySecrets();
  readonly auditLogs = new AuditLogs();
  readonly operations: Operations;
  readonly prices: Prices;
  readonly quotas: QuotaLedger;
  readonly billing: Billing;
  readonly owner: OwnerSettings;
  readonly #lifecycles = new Map<string, ObjectLifecycle<StoredObject, World>>();
  readonly #sequences = new Map<string, number>();
  #lag = noLag;
  #isListing = false;

  constructor(
    readonly clock: SimulatedClock,
    private readonly models: readonly ObjectModel[],
    { dialect, apiKey, operationTimeMs, lag }: SimulatorSettings,
  ) {
    this.operations = new Operations(clock, operationTimeMs);
    this.prices = new Prices(models.flatMap(({ prices }) => (prices ? [prices] : [])));
    this.billing = new Billing(this.prices, this);
    this.quotas = new QuotaLedger(dialect, (region) => this.#quotaHeldIn(region));
    this.owner = new OwnerSettings(clock, apiKey);
    for (const model of models) this.#lifecycles.set(model.key, new ObjectLifecycle(model, this));
    const now = formatTimestamp(this.nowMs);
    const times = { created_at: now, updated_at: now };
    for (const model of models) model.seed?.(this, times).forEach((object) => this.lifecycle(model).put(object));
    this.billing.review();
    this.lag = lag;
  }

  /** Milliseconds since the epoch. While an effect of an operation is applied: the instant of that effect. */
  get nowMs(): number {
    return this.operations.nowMs;
  }

  /** Applies all effects and charges that are due. */
  applyDue(): void {
    this.operations.applyDue();
    this.billing.review();
  }

  /** Creates, changes and deletes the objects of a kind. */
  lifecycle<T extends StoredObject>({ key }: ObjectModel<T>): ObjectLifecycle<T, World> {
    return this.lifecycleOf(key) as unknown as ObjectLifecycle<T, World>; // It was created with this model.
  }

  table<T extends StoredObject>(model: ObjectModel<T>): Table<T> {
    return this.lifecycle(model).table;
  }

  find(key: string, id: string): StoredObject | undefined {
    return this.lifecycleOf(key).table.get(id);
  }

  /** The objects of a kind that have this parent. */
  partition(key: string, name: string): Partition<StoredObject> {
    return this.lifecycleOf(key).table.partition(name);
  }

  objectsIn(key: string, name: string): readonly StoredObject[] {
    return Array.from(this.partition(key, name).values(), ({ value }) => value);
  }

  idsIn(key: string, name: string): string[] {
    return this.objectsIn(key, name).map(({ id }) => id);
  }

  /** The current objects, without the lag of lists. */
  kept(key: string, name: string): readonly StoredObject[] {
    return this.#asListing(false, () => this.objectsIn(key, name));
  }

  /** Removes the objects that have this parent, at once. */
  removeParts(parent: object, parentId: string): void {
    for (const { key } of this.models.filter((model) => model.parent === parent)) {
      for (const { id } of this.kept(key, parentId)) this.lifecycleOf(key).remove(id);
    }
  }

  /** The number of objects of a kind in a project, whatever their parent. */
  countInProject(model: ObjectModel, projectId: string): number {
    return this.#partitionsIn(model, projectId).reduce((count, { size }) => count + size, 0);
  }

  /** The objects of a kind in a project, whatever their parent. */
  *inProject<T extends StoredObject>(model: ObjectModel<T>, projectId: string): Generator<T> {
    for (const partition of this.#partitionsIn(model, projectId)) {
      for (const { value } of partition.values()) yield value;
    }
  }

  /** The project of an object. Undefined for an object of the organization. */
  projectOf(model: ObjectModel, object: StoredObject): string | undefined {
    return this.#inherited("project_id", model, object) as string | undefined;
  }

  /** The region of an object, or of its parent. Empty if it has none. */
  regionOf(model: ObjectModel, object: StoredObject): string {
    return (this.#inherited("region", model, object) as string | undefined) ?? "";
  }

  /** The caller of a bearer token. Undefined if the token is not valid (section 7.2). */
  authenticate(token: string): Caller | undefined {
    const secretHash = hashSecret(token);
    if (this.owner.hasSecret(secretHash)) return this.owner.caller;
    const key = this.find("apiKeys", this.secrets.idOf(secretHash) ?? "") as ApiKey | undefined;
    return key && apiKeyStatus(key, this.clock.now()) === "active" ? callerOf(key) : undefined;
  }

  /** Sets how late the API shows changes. */
  get lag(): Lag {
    return this.#lag;
  }

  set lag(lag: Lag) {
    this.#lag = lag;
    const view = (lagMs: number) => ({ lagMs, now: () => this.clock.now(), isListing: () => this.#isListing });
    for (const { table } of this.#lifecycles.values()) table.lagBehind(view(lag.listsMs));
    this.auditLogs.lagBehind(view(lag.auditMs));
  }

  /** Computes the answer to a list request: inside, objects are read with the lag of lists. */
  listing<T>(answer: () => T): T {
    return this.#asListing(true, answer);
  }

  /** The next number of a sequence, from 0. */
  next(sequence: string): number {
    const number = this.#sequences.get(sequence) ?? 0;
    this.#sequences.set(sequence, number + 1);
    return number;
  }

  lifecycleOf(key: string): ObjectLifecycle<StoredObject, World> {
    const lifecycle = this.#lifecycles.get(key);
    if (!lifecycle) throw new Error(`the world has no ${key}`);
    return lifecycle;
  }

  #asListing<T>(isListing: boolean, answer: () => T): T {
    const wasListing = this.#isListing;
    try {
      this.#isListing = isListing;
      return answer();
    } finally {
      this.#isListing = wasListing;
    }
  }

  *#quotaHeldIn(region: string): Generator<QuotaAmount> {
    for (const lifecycle of this.#lifecycles.values()) yield* lifecycle.quotaHeldIn(region);
  }

  #partitionsIn<T extends StoredObject>(model: ObjectModel<T>, projectId: string): readonly Partition<T>[] {
    const { parent } = model;
    const names = parent ? Array.from(this.inProject(parent, projectId), ({ id }) => id) : [projectId];
    return names.map((name) => this.table(model).partition(name));
  }

  #inherited(name: string, { parent: model }: ObjectModel, object: StoredObject): unknown {
    const members = object as unknown as Readonly<Record<string, unknown>>;
    const parent = model && this.table(model).get(String(members[model.idParameter]));
    return model && parent ? this.#inherited(name, model, parent) : members[name];
  }
}
