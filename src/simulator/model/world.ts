import type { SimulatorSettings } from "../options";
import { Bookkeeping } from "./bookkeeping";
import {
  ApiKeySecrets,
  apiKeyStatus,
  type Caller,
  callerOf,
  hashSecret,
  type KeyMembers,
  OwnerSettings,
  type ResourceType,
} from "./callers";
import { seededIds } from "./catalogues";
import type { Effects } from "./effects";
import { Lifecycle, type Stored } from "./lifecycle";
import { Operations } from "./operations";
import type { OrderedList } from "./ordered-list";
import { type PriceList, Prices } from "./prices";
import { Quotas } from "./quotas";
import { AuditLogs } from "./records";
import { type Lag, noLag, type Table } from "./table";
import { formatTimestamp, type SimulatedClock } from "./time";

/** The parts of a kind that the world needs, as its descriptor states them. nouns/noun.ts has the others. */
export interface ModelDescriptor<T extends Stored = Stored> extends Effects<T, World> {
  /** As in `firewallRules`: the name of its objects in the state. */
  readonly key: string;
  readonly parent?: ObjectModel;
  /** True if a parent has one of it at most: then its path has no id, and is no list. */
  readonly isSingleton?: boolean;
  /** The projects that a caller must reach to see an object, if not its `project_id`. */
  scopeOf?(object: T): readonly string[];
  /** The priced dimensions that it brings. */
  readonly prices?: PriceList;
  /** The objects of a new world. `times` are those of an object that is created now. */
  seed?(world: World, times: Pick<Stored, "created_at" | "updated_at">): readonly T[];
}

/** The same with the names that follow. */
export interface ObjectModel<T extends Stored = Stored> extends ModelDescriptor<T> {
  /** As in `connect connection`. */
  readonly noun: string;
  readonly resourceType: ResourceType;
  /** The parameter of the paths, and the member of its sub-resources, that has an object's id. */
  readonly idParameter: string;
}

type Members = Readonly<Record<string, unknown>>;

/** All that the organization has: the state behind the services. A reset replaces it by a new one. */
export class World {
  readonly secrets = new ApiKeySecrets();
  readonly auditLogs = new AuditLogs();
  readonly operations: Operations;
  readonly prices: Prices;
  readonly quotas: Quotas;
  readonly bookkeeping: Bookkeeping;
  readonly owner: OwnerSettings;
  readonly #lifecycles = new Map<string, Lifecycle<Stored, World>>();
  readonly #sequences = new Map<string, number>();
  #lag = noLag;
  #isListing = false;

  constructor(
    readonly clock: SimulatedClock,
    models: readonly ObjectModel[],
    { dialect, apiKey, operationTimeMs, lag }: SimulatorSettings,
  ) {
    this.operations = new Operations(clock, operationTimeMs);
    this.prices = new Prices(models.flatMap(({ prices }) => (prices ? [prices] : [])));
    this.bookkeeping = new Bookkeeping(this.prices, this);
    this.quotas = new Quotas(dialect);
    this.owner = new OwnerSettings(clock, apiKey);
    for (const model of models)
      this.#lifecycles.set(
        model.key,
        new Lifecycle(model, this, {
          projectOf: (object) => this.projectOf(model, object),
          regionOf: (object) => this.regionOf(model, object),
        }),
      );
    const now = formatTimestamp(this.nowMs);
    const times = { created_at: now, updated_at: now };
    for (const model of models) model.seed?.(this, times).forEach((object) => this.lifecycle(model).put(object));
    this.bookkeeping.account(seededIds.organization).review(this.nowMs);
    this.lag = lag;
  }

  /** Milliseconds since the epoch: while an effect of an operation is applied, its instant. */
  get nowMs(): number {
    return this.operations.nowMs;
  }

  /** Applies the effects and charges that are due. */
  applyDue(): void {
    this.operations.applyDue();
    this.bookkeeping.applyDue();
  }

  /** The objects of a kind as they come, change and go. */
  lifecycle<T extends Stored>({ key }: ObjectModel<T>): Lifecycle<T, World> {
    return this.lifecycleOf(key) as unknown as Lifecycle<T, World>; // It was made for the model of this key.
  }

  table<T extends Stored>(model: ObjectModel<T>): Table<T> {
    return this.lifecycle(model).table;
  }

  /** An object of a kind that the asking kind knows by its key only. */
  find(key: string, id: string): Stored | undefined {
    return this.lifecycleOf(key).table.get(id);
  }

  /** The objects of such a kind in one thing, oldest first. */
  partition(key: string, name: string): OrderedList<Stored> {
    return this.lifecycleOf(key).table.partition(name);
  }

  /** The objects of such a partition, and their ids. */
  objectsIn(key: string, name: string): readonly Stored[] {
    return Array.from(this.partition(key, name).after(0), ({ value }) => value);
  }

  idsIn(key: string, name: string): string[] {
    return this.objectsIn(key, name).map(({ id }) => id);
  }

  /** The objects themselves, without the lag of lists. */
  kept(key: string, name: string): readonly Stored[] {
    return this.#asListing(false, () => this.objectsIn(key, name));
  }

  /** Removes all objects of such a kind from one thing, at once. */
  clear(key: string, name: string): void {
    for (const { id } of this.kept(key, name)) this.lifecycleOf(key).remove(id);
  }

  /** The number of objects of a kind in a project, with any parent. */
  countInProject(model: ObjectModel, projectId: string): number {
    return this.#partitionsIn(model, projectId).reduce((count, { size }) => count + size, 0);
  }

  /** The objects of a kind in one project, with any parent. */
  *inProject<T extends Stored>(model: ObjectModel<T>, projectId: string): Generator<T> {
    for (const partition of this.#partitionsIn(model, projectId)) {
      for (const { value } of partition.after(0)) yield value;
    }
  }

  /** The project of an object. None for an object of the organization. */
  projectOf(model: ObjectModel, object: Stored): string | undefined {
    return this.#inherited("project_id", model, object) as string | undefined;
  }

  /** The region of an object, or of its parent. */
  regionOf(model: ObjectModel, object: Stored): string {
    return String(this.#inherited("region", model, object));
  }

  /** The caller of a bearer token. Undefined if the token is not valid (section 7.2). */
  authenticate(token: string): Caller | undefined {
    const secretHash = hashSecret(token);
    if (this.owner.hasSecret(secretHash)) return this.owner.caller;
    const key = this.find("apiKeys", this.secrets.idOf(secretHash) ?? "") as (Stored & KeyMembers) | undefined;
    return key && apiKeyStatus(key, this.clock.now()) === "active" ? callerOf(key) : undefined;
  }

  /** How far behind the API shows what happens. */
  get lag(): Lag {
    return this.#lag;
  }

  set lag(lag: Lag) {
    this.#lag = lag;
    const view = (lagMs: number) => ({ lagMs, now: () => this.clock.now(), isListing: () => this.#isListing });
    for (const { table } of this.#lifecycles.values()) table.lagBehind(view(lag.listsMs));
    this.auditLogs.lagBehind(view(lag.auditMs));
  }

  /** Answers a list: it reads the objects with the lag of lists. */
  listing<T>(answer: () => T): T {
    return this.#asListing(true, answer);
  }

  /** The next number of a row of numbers, from 0. */
  next(sequence: string): number {
    const number = this.#sequences.get(sequence) ?? 0;
    this.#sequences.set(sequence, number + 1);
    return number;
  }

  /** The objects of a kind that the caller knows only by its key, with their lifecycle. */
  lifecycleOf(key: string): Lifecycle<Stored, World> {
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

  #partitionsIn<T extends Stored>(model: ObjectModel<T>, projectId: string): readonly OrderedList<T>[] {
    const { parent } = model;
    const names = parent ? Array.from(this.inProject(parent, projectId), ({ id }) => id) : [projectId];
    return names.map((name) => this.table(model).partition(name));
  }

  #inherited(name: string, { parent: model }: ObjectModel, object: Stored): unknown {
    const members = object as unknown as Members;
    const parent = model && this.table(model).get(String(members[model.idParameter]));
    return model && parent ? this.#inherited(name, model, parent) : members[name];
  }
}
