import type { Operations } from "./operations";
import type { Usage } from "./prices";
import type { QuotaLedger, QuotaAmount } from "./quota-ledger";
import type { Resource } from "./usage-ledger";

/** The effects of an object's life cycle on the rest of the world `W`. */
export interface Effects<T, W> {
  /** As in `connect_connection`. Used in operations, in an audit log's target, and at the start of its action. */
  readonly kind: string;
  /**
   * The parent of its objects; each parent has its own list. Absent: the project, or the organization if
   * `isOfOrganization`.
   */
  readonly parent?: { readonly idParameter: string };
  readonly isOfOrganization?: boolean;
  usage?(object: T, world: W): readonly Usage[];
  quota?(object: T, world: W): readonly QuotaAmount[];
  /** The members that are set when the creation is finished. */
  readyMembers?(object: T, world: W): Partial<T>;
  afterCreate?(object: T, world: W): void;
  afterUpdate?(before: T, after: T, world: W): void;
  /** Runs after the object and its parts were removed. */
  afterDelete?(object: T, world: W): void;
}

export interface LifecycleWorld {
  readonly operations: Operations;
  readonly quotas: QuotaLedger;
  projectOf(model: object, object: object): string | undefined;
  regionOf(model: object, object: object): string;
  removeParts(parent: object, parentId: string): void;
  readonly billing: {
    bill(resource: Resource, usages: readonly Usage[]): void;
    endBill(id: string): void;
  };
}
