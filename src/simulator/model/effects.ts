import type { Operations } from "./operations";
import type { Usage } from "./prices";
import type { Quotas, QuotaUse } from "./quotas";
import type { Resource } from "./usage-ledger";

/** What comes with an object of a kind, told to the world `W`. */
export interface Effects<T, W> {
  /** As in `connect_connection`: of its operations and of an audit log's target, and the first part of its action. */
  readonly kind: string;
  /** The parent of its objects, which partitions their list. Absent: a project, or nothing if `isOfOrganization`. */
  readonly parent?: { readonly idParameter: string };
  readonly isOfOrganization?: boolean;
  /** The dimensions that bill an object. */
  usage?(object: T, world: W): readonly Usage[];
  quota?(object: T, world: W): readonly QuotaUse[];
  /** The members that a finished creation fills in. */
  readyMembers?(object: T, world: W): Partial<T>;
  afterCreate?(object: T, world: W): void;
  afterUpdate?(before: T, after: T, world: W): void;
  /** Runs before the object leaves its table, so that its parts can still find its region and project. */
  beforeRemove?(object: T, world: W): void;
  afterDelete?(object: T, world: W): void;
}

type Bill = (resource: Resource, usages: readonly Usage[]) => void;

/** What a lifecycle asks of the world. */
export interface Surroundings {
  readonly operations: Operations;
  readonly quotas: Quotas;
  readonly bookkeeping: { readonly start: Bill; readonly stop: Bill };
}

/** Where the objects of a kind are. */
export interface Location<T> {
  projectOf(object: T): string | undefined;
  regionOf(object: T): string;
}
