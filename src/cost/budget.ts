import type { Decimal } from "decimal.js";
import type { BudgetBreach } from "./budget-breach";
import { dollars, exactDollars, signedDollars } from "./money";
import { changesCost, operationSigns } from "./printed-report";
import { deltaOf, isKnown, type CostReport, type ResourceCost } from "./report";

export interface Budget {
  readonly monthlyTotal?: Decimal | undefined;
  readonly monthlyIncrease?: Decimal | undefined;
  readonly perResource?: Decimal | undefined;
  /** What an unknown cost means. Default: `allow`. */
  readonly onUnknown?: "allow" | "fail" | undefined;
}

const NAMED_CONTRIBUTORS = 3;

/** The exceeded limits, by exact amounts. Empty if none is exceeded. */
export function overBudget(report: CostReport, budget: Budget): readonly BudgetBreach[] {
  const { monthlyTotal, monthlyIncrease, perResource, onUnknown } = budget;
  const over: BudgetBreach[] = [];
  if (monthlyTotal && report.after.greaterThan(monthlyTotal)) {
    const by = contributors(report.resources, total);
    const reason = `the total would be ${dollars(report.after)}/mo, ${excess(report.after, monthlyTotal)}${named(by)}`;
    over.push({ limit: "monthlyTotal", allowed: monthlyTotal, amount: report.after, ...told(by), reason });
  }
  if (monthlyIncrease && report.delta.greaterThan(monthlyIncrease)) {
    const by = contributors(report.resources, increase);
    const reason = `the increase would be ${signedDollars(report.delta)}/mo, ${excess(report.delta, monthlyIncrease)}${named(by)}`;
    over.push({ limit: "monthlyIncrease", allowed: monthlyIncrease, amount: report.delta, ...told(by), reason });
  }
  if (perResource) {
    const by = contributors(report.resources, total).filter(({ amount }) => amount.greaterThan(perResource));
    const [largest] = by;
    if (largest) {
      const reason = `${largest.resource.type} ${largest.resource.name} would cost ${dollars(largest.amount)}/mo, ${excess(largest.amount, perResource)} for each resource${by.length > 1 ? named(by) : ""}`;
      over.push({ limit: "perResource", allowed: perResource, amount: largest.amount, ...told(by), reason });
    }
  }
  if (onUnknown === "fail") {
    const unknown = report.resources.filter(({ status }) => status === "unknown");
    const names = [...unknown.map(({ type, name }) => `${type} ${name}`), ...report.notCounted];
    if (names.length > 0) {
      const resources = unknown.map(({ urn, type, name }) => ({ urn, type, name, amount: undefined }));
      const reason = `the cost of ${listed(names)} is unknown`;
      over.push({ limit: "onUnknown", allowed: undefined, amount: undefined, resources, reason });
    }
  }
  return over;
}

function excess(amount: Decimal, allowed: Decimal): string {
  return `${dollars(amount.minus(allowed))}/mo over the budget of ${exactDollars(allowed)}/mo`;
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

function told(by: readonly Contributor[]): Pick<BudgetBreach, "resources"> {
  return { resources: by.map(({ resource: { urn, type, name }, amount }) => ({ urn, type, name, amount })) };
}

function named(by: readonly Contributor[]): string {
  if (by.length === 0) return "";
  const texts = by.map(({ resource: { operation, type, name }, text }) =>
    `${operationSigns[operation]} ${type} ${name} ${text}`.trim(),
  );
  return `: ${listed(texts)}`;
}

export function listed(texts: readonly string[], separator = ", "): string {
  const first = texts.slice(0, NAMED_CONTRIBUTORS).join(separator);
  const others = texts.length - NAMED_CONTRIBUTORS;
  return others > 0 ? `${first} and ${others} more` : first;
}
