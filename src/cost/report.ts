import type { Decimal } from "decimal.js";
import type { Bill } from "./cost";
import type { BudgetBreach } from "./cost-document";
import type { DimensionCost, PricedQuantity, ResourceCost } from "./resource-cost";
import { decimal, sum } from "./money";

/** The most resources that a sentence names. */
export const NAMED = 3;

/** The bill of the whole organization, as the API estimates it. */
export interface OrganizationCost {
  readonly before: Decimal;
  /** The bill before, and the sum of the differences. */
  readonly after: Decimal;
  readonly balance?: Decimal | undefined;
  /** The number of months that the balance lasts at the present cost. */
  readonly runwayMonths?: Decimal | undefined;
}

/** The organization's bill before the run. */
export type OrganizationNow = Omit<OrganizationCost, "after">;

/** The changes of a run in the monthly cost of a stack. Amounts are exact. */
export interface CostReport {
  /**
   * The stack's organization in Pulumi. Undefined in a backend without organizations, for a preview file, or if Pulumi
   * does not say it.
   */
  readonly pulumiOrganization?: string | undefined;
  readonly project: string;
  readonly stack: string;
  /** The largest difference first, then by name. */
  readonly resources: readonly ResourceCost[];
  /** The sums of the resources whose costs before and after are known. */
  readonly before: Decimal;
  readonly after: Decimal;
  readonly delta: Decimal;
  /** True if a cost is unknown. The totals are then lower limits. */
  readonly atLeast: boolean;
  readonly organization?: OrganizationCost | undefined;
  /** Logical names of priced resources that were registered too late, or whose registration failed. */
  readonly notCounted: readonly string[];
  /** True if the run covered only some of the stack's resources (`--target`). */
  readonly isPartial: boolean;
  /** Sentences on the source of the report. */
  readonly remarks: readonly string[];
  /** The exceeded budgets of the program and of the flags. */
  readonly overBudget: readonly BudgetBreach[];
}

export interface ReportParts
  extends
    Pick<CostReport, "project" | "stack" | "resources">,
    Partial<Pick<CostReport, "pulumiOrganization" | "notCounted" | "isPartial" | "remarks">> {
  readonly organization?: OrganizationNow | undefined;
}

/** Adds up the costs. A resource with an unknown cost counts on neither side. */
export function costReport({
  pulumiOrganization,
  project,
  stack,
  resources,
  organization,
  notCounted = [],
  isPartial = false,
  remarks = [],
}: ReportParts): CostReport {
  const known = resources.filter(isKnown);
  const before = sum(known.map((resource) => resource.before));
  const after = sum(known.map((resource) => resource.after));
  const delta = after.minus(before);
  const providers = providersOf(resources);
  const together = `the totals are those of ${providers.length} providers together, which may be different accounts`;
  const mixed = providers.length > 1 ? [`${together}: ${providers.join(", ")}`] : [];
  return {
    pulumiOrganization,
    project,
    stack,
    resources: [...resources].sort(byDifference),
    before,
    after,
    delta,
    atLeast: notCounted.length > 0 || resources.some(({ status }) => status === "unknown"),
    organization:
      organization && mixed.length === 0 ? { ...organization, after: organization.before.plus(delta) } : undefined,
    notCounted,
    isPartial,
    remarks: [...new Set([...remarks, ...mixed])],
    overBudget: [],
  };
}

function providersOf(resources: readonly ResourceCost[]): readonly string[] {
  return [...new Set(resources.flatMap(({ provider }) => provider ?? []))].sort();
}

/** True if an unknown cost may add to the total of that side. */
export function isLeast({ notCounted, resources }: CostReport, side: "before" | "after"): boolean {
  const adds = (resource: ResourceCost): boolean => resource.status === "unknown" && resource[side]?.isZero() !== true;
  return notCounted.length > 0 || resources.some(adds);
}

/** The bill of a provider's organization. Undefined if a resource belongs to another provider. */
export function organizationNow(
  { monthlyCost, balance, runwayMonths }: Bill,
  provider: string,
  resources: readonly ResourceCost[],
): OrganizationNow | undefined {
  if (providersOf(resources).some((other) => other !== provider)) return undefined;
  return {
    before: decimal(monthlyCost),
    balance: decimal(balance),
    runwayMonths: runwayMonths === undefined ? undefined : decimal(runwayMonths),
  };
}

/** The sum of several stacks. They belong to the same organization, so they have the same bill. */
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

/** The number of costs that are missing in the totals. */
export function unknownCount({ resources, notCounted }: Pick<CostReport, "resources" | "notCounted">): number {
  return resources.filter(({ status }) => status === "unknown").length + notCounted.length;
}

/** True if no resource and no price changes. */
export function isUnchanged({ resources, notCounted }: Pick<CostReport, "resources" | "notCounted">): boolean {
  return (
    notCounted.length === 0 &&
    resources.every((resource) => resource.operation === "same" && deltaOf(resource)?.isZero() !== false)
  );
}

export type StackOfReport = Pick<CostReport, "pulumiOrganization" | "project" | "stack">;

/** The parts of a stack's name. */
export function stackPath({ pulumiOrganization, project, stack }: StackOfReport): readonly string[] {
  return [...(pulumiOrganization === undefined ? [] : [pulumiOrganization]), project, stack];
}

/** The name of a stack for a reader without its context. */
export function stackTitle(report: StackOfReport): string {
  return stackPath(report).join("/");
}

/** Names each of several stacks, with its organization and project if these differ. */
export function labelStacks(reports: readonly StackOfReport[]): (report: StackOfReport) => string {
  const projects = new Set(reports.map((report) => stackTitle({ ...report, stack: "" })));
  return (report) => (projects.size > 1 ? stackTitle(report) : report.stack);
}

export type KnownCost = ResourceCost & { readonly before: Decimal; readonly after: Decimal };

/** True if the costs before and after are known. */
export function isKnown(resource: ResourceCost): resource is KnownCost {
  return resource.before !== undefined && resource.after !== undefined;
}

/** After minus before. Undefined if one is unknown. */
export function deltaOf(resource: ResourceCost): Decimal | undefined {
  return isKnown(resource) ? resource.after.minus(resource.before) : undefined;
}

/** A dimension's part of a resource's difference, if both costs of the resource are known. */
export function dimensionDelta({ before, after }: DimensionCost): Decimal {
  return amountOf(after).minus(amountOf(before));
}

/** The cost of one side of a dimension: zero if it does not bill the resource. */
export function amountOf(side: PricedQuantity | undefined): Decimal {
  return side?.monthlyAmount ?? decimal("0");
}

/** The largest first, then in the order of names for people: `rule-2` before `rule-10`. The same on every machine. */
function byDifference(a: ResourceCost, b: ResourceCost): number {
  const byUrn = a.urn < b.urn ? -1 : a.urn > b.urn ? 1 : 0;
  return sizeOf(b).comparedTo(sizeOf(a)) || natural.compare(a.name, b.name) || byUrn;
}

function sizeOf(resource: ResourceCost): Decimal {
  return deltaOf(resource)?.abs() ?? decimal("0");
}

const natural = new Intl.Collator("en", { numeric: true });

/** The words after the name of an incomplete sum. */
export function leastSuffix({ atLeast }: Pick<CostReport, "atLeast">): string {
  return atLeast ? ", at least" : "";
}
