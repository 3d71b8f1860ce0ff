import type { Decimal } from "decimal.js";
import type { Bill } from "./cost";
import type { BudgetBreach } from "./budget-breach";
import { decimal, sum } from "./money";

/** What is going to happen to a resource. */
export type CostOperation = "create" | "update" | "replace" | "delete" | "same";

/** A quantity at a price, on one side of a change. */
export interface PricedQuantity {
  readonly quantity: number;
  readonly unitPrice: Decimal;
  readonly monthlyAmount: Decimal;
}

/** One dimension that a resource is billed by, before and after. */
export interface DimensionCost {
  /** The service's identifier, for example `compute_vcpu`. */
  readonly dimension: string;
  /** The service's words for it. */
  readonly displayName: string;
  /** Undefined where the resource is not billed by it. */
  readonly before: PricedQuantity | undefined;
  readonly after: PricedQuantity | undefined;
}

/** What one resource costs a month, before and after. */
export interface ResourceCost {
  readonly urn: string;
  /** The last part of the type token: `ConnectConnection`. */
  readonly type: string;
  /** The logical name: what the program calls it. */
  readonly name: string;
  readonly operation: CostOperation;
  /** `notOffered`: the service quotes no such thing, which is neither free nor unknown. */
  readonly status: "priced" | "unknown" | "notOffered";
  /** Why a side is not known. */
  readonly reason?: string | undefined;
  /** Undefined where it is not known. What is not there yet, or is there no more, costs nothing: zero. */
  readonly before: Decimal | undefined;
  readonly after: Decimal | undefined;
  readonly dimensions: readonly DimensionCost[];
  /** The total that the state had, if prices have moved since: `before` is at the prices of now. */
  readonly lastQuoted?: Decimal | undefined;
  /**
   * `adopted`: the object was there before the stack takes it over; `retained`: it stays at the service once the stack has
   * let it go. Either way nothing changes on the bill.
   */
  readonly remains?: "adopted" | "retained" | undefined;
  /** Where a quote's own arithmetic does not add up, in sentences. */
  readonly warnings: readonly string[];
}

/** The bill of the whole organization, as the service estimates it. */
export interface OrganizationCost {
  readonly before: Decimal;
  /** Before, and the sum of the differences. */
  readonly after: Decimal;
  readonly balance?: Decimal | undefined;
  /** How long the balance lasts at the present cost. */
  readonly runwayMonths?: Decimal | undefined;
}

/** The organization's bill before anything is changed. */
export type OrganizationNow = Omit<OrganizationCost, "after">;

/** What a run would change of what a stack costs a month. Every amount is exact. */
export interface CostReport {
  readonly project: string;
  readonly stack: string;
  /** The largest difference first, then by name. */
  readonly resources: readonly ResourceCost[];
  /** Sums over the resources of which both sides are known. */
  readonly before: Decimal;
  readonly after: Decimal;
  readonly delta: Decimal;
  /** Whether some cost is not known, so that the totals are the least it can be. */
  readonly atLeast: boolean;
  readonly organization?: OrganizationCost | undefined;
  /** Logical names of priced resources that came too late to be counted. */
  readonly notCounted: readonly string[];
  /** Whether the run was about some of the stack's resources only (`--target`). */
  readonly isPartial: boolean;
  /** What has to be known of where the report is from, in sentences. */
  readonly remarks: readonly string[];
  /** What exceeds a budget: one of the program's, or one that was asked for. */
  readonly overBudget: readonly BudgetBreach[];
}

/** What a report is made from. */
export interface ReportParts extends Pick<CostReport, "project" | "stack" | "resources"> {
  readonly notCounted?: readonly string[];
  readonly isPartial?: boolean;
  readonly remarks?: readonly string[];
  readonly organization?: OrganizationNow | undefined;
  readonly overBudget?: readonly BudgetBreach[];
}

/** Sums up. A resource of which one side is not known counts on neither: a difference to the unknown is none. */
export function costReport({
  project,
  stack,
  resources,
  organization,
  notCounted = [],
  isPartial = false,
  remarks = [],
  overBudget = [],
}: ReportParts): CostReport {
  const known = resources.filter(isKnown);
  const before = sum(known.map((resource) => resource.before));
  const after = sum(known.map((resource) => resource.after));
  const delta = after.minus(before);
  return {
    project,
    stack,
    resources: [...resources].sort(byDifference),
    before,
    after,
    delta,
    atLeast: notCounted.length > 0 || resources.some(({ status }) => status === "unknown"),
    organization: organization && { ...organization, after: organization.before.plus(delta) },
    notCounted,
    isPartial,
    remarks,
    overBudget,
  };
}

/** The organization's bill as a report takes it. */
export function organizationNow({ monthlyCost, balance, runwayMonths }: Bill): OrganizationNow {
  return {
    before: decimal(monthlyCost),
    balance: decimal(balance),
    runwayMonths: runwayMonths === undefined ? undefined : decimal(runwayMonths),
  };
}

/** Several stacks as one: what they cost together. The organization's bill is the same for all of them. */
export function combinedReport(reports: readonly CostReport[]): CostReport {
  return costReport({
    project: "",
    stack: "",
    resources: reports.flatMap(({ resources }) => resources),
    organization: reports.find(({ organization }) => organization)?.organization,
    notCounted: reports.flatMap(({ notCounted }) => notCounted),
    isPartial: reports.some(({ isPartial }) => isPartial),
    remarks: reports.flatMap(({ remarks }) => remarks),
  });
}

/** How many costs are missing in the totals. */
export function unknownCount({ resources, notCounted }: Pick<CostReport, "resources" | "notCounted">): number {
  return resources.filter(({ status }) => status === "unknown").length + notCounted.length;
}

/** Whether neither a resource changes nor a price. */
export function isUnchanged({ resources, notCounted }: Pick<CostReport, "resources" | "notCounted">): boolean {
  return (
    notCounted.length === 0 &&
    resources.every((resource) => resource.operation === "same" && deltaOf(resource)?.isZero() !== false)
  );
}

/** What the stacks are called beside each other: by their projects too, where those differ. */
export function stackLabels(reports: readonly CostReport[]): readonly string[] {
  const projects = new Set(reports.map(({ project }) => project));
  return reports.map(({ project, stack }) => (projects.size > 1 ? `${project}/${stack}` : stack));
}

/** A resource of which both sides are known. */
export type KnownCost = ResourceCost & { readonly before: Decimal; readonly after: Decimal };

/** Whether both sides are known. */
export function isKnown(resource: ResourceCost): resource is KnownCost {
  return resource.before !== undefined && resource.after !== undefined;
}

/** After minus before; undefined where a side is not known. */
export function deltaOf(resource: ResourceCost): Decimal | undefined {
  return isKnown(resource) ? resource.after.minus(resource.before) : undefined;
}

/** What a dimension adds to the difference of a resource of which both sides are known. */
export function dimensionDelta({ before, after }: DimensionCost): Decimal {
  return amountOf(after).minus(amountOf(before));
}

/** What one side of a dimension costs: nothing where the resource is not billed by it. */
export function amountOf(side: PricedQuantity | undefined): Decimal {
  return side?.monthlyAmount ?? decimal("0");
}

function byDifference(a: ResourceCost, b: ResourceCost): number {
  return sizeOf(b).comparedTo(sizeOf(a)) || byName(a, b);
}

function sizeOf(resource: ResourceCost): Decimal {
  return deltaOf(resource)?.abs() ?? decimal("0");
}

/** In the order of the names as people count: `rule-2` before `rule-10`. The same on every machine. */
export function byName(a: Pick<ResourceCost, "name" | "urn">, b: Pick<ResourceCost, "name" | "urn">): number {
  return natural.compare(a.name, b.name) || (a.urn < b.urn ? -1 : a.urn > b.urn ? 1 : 0);
}

const natural = new Intl.Collator("en", { numeric: true });
