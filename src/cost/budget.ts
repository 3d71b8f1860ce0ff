import type { BudgetBreach, CostDocument } from "./cost-document";
import type { ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { listed } from "../text/terminal-text";
import { decimalText, dollars, exactDollars, signedDollars, sum, decimal } from "./money";
import { changesCost, operationSigns } from "./printed-report";
import { deltaOf, isKnown, NAMED, stackPath, type CostReport, type StackOfReport } from "./report";
import { resourceJson } from "./json-report";
import { operationWords } from "./notes";

export interface Budget {
  readonly monthlyTotal?: Decimal | undefined;
  readonly monthlyIncrease?: Decimal | undefined;
  readonly perResource?: Decimal | undefined;
  /** How an unknown cost counts. Default: `allow`. */
  readonly onUnknown?: "allow" | "fail" | undefined;
}

/**
 * The exceeded limits, by exact amounts. Empty if none is exceeded. `source`: the source of the limits, such as
 * `--fail-over-total`.
 */
export function overBudget(
  report: CostReport,
  budget: Budget,
  source = "",
  enforce: BudgetBreach["enforce"] = "mandatory",
): readonly BudgetBreach[] {
  const { monthlyTotal, monthlyIncrease, perResource, onUnknown } = budget;
  const { delta } = report;
  // Also of a resource whose cost before is unknown, which the totals of the report leave out.
  const after = sum(report.resources.flatMap((resource) => resource.after ?? []));
  const adding = contributors(report.resources, total);
  const increasing = contributors(report.resources, increase);
  const tooExpensive = adding.filter(({ amount }) => perResource !== undefined && amount.greaterThan(perResource));
  const eachOf = ` for each resource${tooExpensive.length > 1 ? contributorsText(tooExpensive) : ""}`;
  const breaches = [
    ...exceeded("monthlyTotal", monthlyTotal, {
      amount: after,
      by: adding,
      text: `the total would be ${dollars(after)}/mo`,
    }),
    ...exceeded("monthlyIncrease", monthlyIncrease, {
      amount: delta,
      by: increasing,
      text: `the increase would be ${signedDollars(delta)}/mo`,
    }),
    ...tooExpensive.slice(0, 1).flatMap(({ resource: { type, name }, amount }) => {
      const text = `${type} ${name} would cost ${dollars(amount)}/mo`;
      return exceeded("perResource", perResource, { amount, by: tooExpensive, text, rest: eachOf });
    }),
    ...(onUnknown === "fail" ? unknownBreaches(report, monthlyIncrease !== undefined) : []),
  ];
  return breaches.map(({ limit, ...breach }) => ({ source, limit, enforce, ...breach }));
}

type LimitBreach = Omit<BudgetBreach, "source" | "enforce">;

/** A cost that a limit may forbid. The message is `text`, then the excess and the budget, then `rest`. */
interface LimitedCost {
  readonly amount: Decimal;
  readonly by: readonly Contributor[];
  readonly text: string;
  readonly rest?: string;
}

function exceeded(
  limit: BudgetBreach["limit"],
  allowed: Decimal | undefined,
  { amount, by, text, rest = contributorsText(by) }: LimitedCost,
): readonly LimitBreach[] {
  if (allowed === undefined || !amount.greaterThan(allowed)) return [];
  const excess = amount.minus(allowed);
  return [
    {
      limit,
      allowed: decimalText(allowed),
      amount: decimalText(amount),
      exceededBy: decimalText(excess),
      resources: by.map(({ resource: { urn, type, name }, amount }) => ({
        urn,
        type,
        name,
        amount: decimalText(amount),
      })),
      reason: `${text}, ${dollars(excess)}/mo over the budget of ${exactDollars(allowed)}/mo${rest}`,
    },
  ];
}

/** `ofIncrease`: whether the limits need the costs before, too. */
function unknownBreaches(report: CostReport, ofIncrease: boolean): readonly LimitBreach[] {
  // An object that the run deletes costs nothing afterwards.
  const unknown = report.resources.filter(
    ({ status, after }) => status === "unknown" && (after === undefined || (ofIncrease && !after.isZero())),
  );
  const names = [...unknown.map(({ type, name }) => `${type} ${name}`), ...report.notCounted];
  if (names.length === 0) return [];
  const resources = unknown.map(({ urn, type, name }) => ({ urn, type, name, amount: null }));
  const reason = `the cost of ${listed(names, NAMED)} is unknown`;
  return [{ limit: "onUnknown", allowed: null, amount: null, exceededBy: null, resources, reason }];
}

interface Contributor {
  readonly resource: ResourceCost;
  readonly amount: Decimal;
  readonly text: string;
}

type Measure = (resource: ResourceCost) => Omit<Contributor, "resource"> | undefined;

const total: Measure = ({ after }) => after && { amount: after, text: `${dollars(after)}/mo` };

const increase: Measure = (resource) => {
  const delta = deltaOf(resource);
  if (!delta || !isKnown(resource) || !changesCost(resource)) return undefined;
  return { amount: delta, text: `${signedDollars(delta)}/mo` };
};

/** The resources that contribute, the largest first. */
function contributors(resources: readonly ResourceCost[], measure: Measure): readonly Contributor[] {
  return resources
    .flatMap((resource) => {
      const measured = measure(resource);
      return measured?.amount.greaterThan(0) ? [{ resource, ...measured }] : [];
    })
    .sort((a, b) => b.amount.comparedTo(a.amount));
}

function contributorsText(by: readonly Contributor[]): string {
  if (by.length === 0) return "";
  const texts = by.map(({ resource: { operation, type, name }, text }) =>
    `${operationSigns[operation]} ${type} ${name} ${text}`.trim(),
  );
  return `: ${listed(texts, NAMED)}`;
}

type ApprovedResource = CostDocument["stacks"][number]["resources"][number];

/**
 * One breach that names the resources whose operation or cost differs from the approved report. Empty if none differs.
 */
export function approvalBreaches(report: CostReport, approved: CostDocument, source: string): readonly BudgetBreach[] {
  const stack = approved.stacks.find((each) => namesSameStack(each, report));
  // A resource has several rows if its replacement keeps the old object.
  const before = Map.groupBy(stack?.resources ?? [], ({ urn }) => urn);
  const now = Map.groupBy(report.resources.map(resourceJson), ({ urn }) => urn);
  const differing = [...new Map([...before, ...now]).values()].flatMap(([first]) =>
    first !== undefined && costsText(before.get(first.urn)) !== costsText(now.get(first.urn)) ? [first] : [],
  );
  if (differing.length === 0) return [];
  const allowed = decimal(stack?.after ?? "0");
  const others = approved.stacks.map((each) => stackPath(each).join("/")).join(", ");
  const approvedReport = `the approved report${stack === undefined && others !== "" ? ` (of ${others})` : ""}`;
  const texts = differing.map(
    ({ urn, type, name }) => `${type} ${name} ${costsText(now.get(urn))}, approved ${costsText(before.get(urn))}`,
  );
  return [
    {
      limit: "approved",
      source,
      enforce: "mandatory",
      allowed: decimalText(allowed),
      amount: decimalText(report.after),
      exceededBy: decimalText(report.after.minus(allowed)),
      resources: differing.map(({ urn, type, name }) => ({ urn, type, name, amount: costAfter(now.get(urn)) })),
      reason: `${differing.length === 1 ? "1 resource differs" : `${differing.length} resources differ`} from ${approvedReport}: ${listed(texts, NAMED, "; ")}`,
    },
  ];
}

/** Of two names, one may lack the organization, because a preview file does not contain it. */
function namesSameStack(one: StackOfReport, other: StackOfReport): boolean {
  const [here, there] = [one.pulumiOrganization, other.pulumiOrganization];
  return (here ?? there) === (there ?? here) && one.project === other.project && one.stack === other.stack;
}

/** `updated $10.00/mo → $20.00/mo`, with all digits, so that two texts are equal if the exact amounts are. */
function costsText(rows: readonly ApprovedResource[] | undefined): string {
  if (rows === undefined) return "nothing";
  const texts = rows.map(
    ({ operation, before, after }) => `${operationWords[operation]} ${monthlyText(before)} → ${monthlyText(after)}`,
  );
  return texts.sort().join(" and ");
}

/** The cost of a resource after the changes. Null if it is unknown, or if there is no such resource. */
function costAfter(rows: readonly ApprovedResource[] | undefined): string | null {
  if (rows === undefined || rows.some(({ after }) => after === null)) return null;
  return decimalText(sum(rows.map(({ after }) => decimal(after ?? "0"))));
}

function monthlyText(amount: string | null): string {
  return amount === null ? "an unknown cost" : `${exactDollars(decimal(amount))}/mo`;
}
