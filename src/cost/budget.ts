import type { BudgetBreach } from "./cost-document";
import type { ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { listed } from "../text/listed";
import { decimalText, dollars, exactDollars, signedDollars, sum } from "./money";
import { changesCost, operationSigns } from "./printed-report";
import { deltaOf, isKnown, type CostReport } from "./report";

export interface Budget {
  readonly monthlyTotal?: Decimal | undefined;
  readonly monthlyIncrease?: Decimal | undefined;
  readonly perResource?: Decimal | undefined;
  /** How an unknown cost counts. Default: `allow`. */
  readonly onUnknown?: "allow" | "fail" | undefined;
}

/** The most resources that a sentence names. */
export const NAMED = 3;

/**
 * The exceeded limits, by exact amounts. Empty if none is exceeded. `source`: the source of the limits, such as `--fail-over-total`.
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
    ...(onUnknown === "fail" ? unknownCosts(report, monthlyIncrease !== undefined) : []),
  ];
  return breaches.map(({ limit, ...breach }) => ({ source, limit, enforce, ...breach }));
}

type LimitBreach = Omit<BudgetBreach, "source" | "enforce">;

/** A cost that a limit may forbid. `text`: a sentence about it, which ends with the budget and `rest`. */
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
function unknownCosts(report: CostReport, ofIncrease: boolean): readonly LimitBreach[] {
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
