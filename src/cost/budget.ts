import type { ResourceCost } from "./resource-cost";
import type { Decimal } from "decimal.js";
import { listed } from "../text/listed";
import { dollars, exactDollars, signedDollars } from "./money";
import { changesCost, operationSigns } from "./printed-report";
import { deltaOf, isKnown, type CostReport, type BudgetBreach } from "./report";

export interface Budget {
  readonly monthlyTotal?: Decimal | undefined;
  readonly monthlyIncrease?: Decimal | undefined;
  readonly perResource?: Decimal | undefined;
  /** What an unknown cost means. Default: `allow`. */
  readonly onUnknown?: "allow" | "fail" | undefined;
}

/** The number of resources that a sentence names. */
export const NAMED = 3;

/** The exceeded limits, by exact amounts. Empty if none is exceeded. */
export function overBudget(report: CostReport, budget: Budget): readonly BudgetBreach[] {
  const { monthlyTotal, monthlyIncrease, perResource, onUnknown } = budget;
  const adding = contributors(report.resources, total);
  const increasing = contributors(report.resources, increase);
  const dear = adding.filter(({ amount }) => perResource !== undefined && amount.greaterThan(perResource));
  return [
    ...exceeded(
      "monthlyTotal",
      monthlyTotal,
      report.after,
      adding,
      (excess) => `the total would be ${dollars(report.after)}/mo, ${excess}${named(adding)}`,
    ),
    ...exceeded(
      "monthlyIncrease",
      monthlyIncrease,
      report.delta,
      increasing,
      (excess) => `the increase would be ${signedDollars(report.delta)}/mo, ${excess}${named(increasing)}`,
    ),
    ...dear
      .slice(0, 1)
      .flatMap(({ resource: { type, name }, amount }) =>
        exceeded(
          "perResource",
          perResource,
          amount,
          dear,
          (excess) =>
            `${type} ${name} would cost ${dollars(amount)}/mo, ${excess} for each resource${dear.length > 1 ? named(dear) : ""}`,
        ),
      ),
    ...(onUnknown === "fail" ? unknownCosts(report) : []),
  ];
}

function exceeded(
  limit: BudgetBreach["limit"],
  allowed: Decimal | undefined,
  amount: Decimal,
  by: readonly Contributor[],
  reasonOf: (excess: string) => string,
): readonly BudgetBreach[] {
  if (allowed === undefined || !amount.greaterThan(allowed)) return [];
  const reason = reasonOf(`${dollars(amount.minus(allowed))}/mo over the budget of ${exactDollars(allowed)}/mo`);
  const resources = by.map(({ resource: { urn, type, name }, amount }) => ({ urn, type, name, amount }));
  return [{ limit, allowed, amount, resources, reason }];
}

function unknownCosts(report: CostReport): readonly BudgetBreach[] {
  const unknown = report.resources.filter(({ status }) => status === "unknown");
  const names = [...unknown.map(({ type, name }) => `${type} ${name}`), ...report.notCounted];
  if (names.length === 0) return [];
  const resources = unknown.map(({ urn, type, name }) => ({ urn, type, name, amount: undefined }));
  const reason = `the cost of ${listed(names, NAMED)} is unknown`;
  return [{ limit: "onUnknown", allowed: undefined, amount: undefined, resources, reason }];
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

/** The resources that add something, the largest first. */
function contributors(resources: readonly ResourceCost[], measure: Measure): readonly Contributor[] {
  return resources
    .flatMap((resource) => {
      const measured = measure(resource);
      return measured?.amount.greaterThan(0) ? [{ resource, ...measured }] : [];
    })
    .sort((a, b) => b.amount.comparedTo(a.amount));
}

function named(by: readonly Contributor[]): string {
  if (by.length === 0) return "";
  const texts = by.map(({ resource: { operation, type, name }, text }) =>
    `${operationSigns[operation]} ${type} ${name} ${text}`.trim(),
  );
  return `: ${listed(texts, NAMED)}`;
}
