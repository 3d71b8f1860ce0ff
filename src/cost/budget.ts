import type { Decimal } from "decimal.js";
import { dollars, signedDollars } from "./money";
import { changesCost, operationSigns } from "./printed-report";
import { deltaOf, isKnown, type CostReport, type ResourceCost } from "./report";

/** What a stack may cost a month. */
export interface Budget {
  readonly monthlyTotal?: Decimal | undefined;
  readonly monthlyIncrease?: Decimal | undefined;
  readonly perResource?: Decimal | undefined;
  /** What a cost that is not known means; default `allow`. */
  readonly onUnknown?: "allow" | "fail" | undefined;
}

const NAMED_CONTRIBUTORS = 3;

/** What is over the budget, a sentence each; none where it holds. Compares exact amounts. */
export function overBudget(report: CostReport, budget: Budget): readonly string[] {
  const { monthlyTotal, monthlyIncrease, perResource, onUnknown } = budget;
  const over: string[] = [];
  if (monthlyTotal && report.after.greaterThan(monthlyTotal)) {
    over.push(
      `the total would be ${dollars(report.after)}/mo, the budget is ${dollars(monthlyTotal)}/mo${largest(report.resources, total)}`,
    );
  }
  if (monthlyIncrease && report.delta.greaterThan(monthlyIncrease)) {
    over.push(
      `the increase would be ${signedDollars(report.delta)}/mo, the budget for it is ${dollars(monthlyIncrease)}/mo${largest(report.resources, increase)}`,
    );
  }
  if (perResource) {
    const tooDear = report.resources.filter(({ after }) => after?.greaterThan(perResource));
    if (tooDear.length > 0) {
      over.push(`a resource may cost ${dollars(perResource)}/mo${largest(tooDear, total)}`);
    }
  }
  if (onUnknown === "fail") {
    const unknown = report.resources
      .filter(({ status }) => status === "unknown")
      .map(({ type, name }) => `${type} ${name}`);
    const names = [...unknown, ...report.notCounted];
    if (names.length > 0) over.push(`the cost is not known of ${listed(names)}`);
  }
  return over;
}

type Measure = (resource: ResourceCost) => { readonly size: Decimal; readonly text: string } | undefined;

const total: Measure = ({ after }) => after && { size: after, text: `${dollars(after)}/mo` };

const increase: Measure = (resource) => {
  const delta = deltaOf(resource);
  if (!delta || !isKnown(resource) || !changesCost(resource)) return undefined;
  return { size: delta, text: `${signedDollars(delta)}/mo` };
};

/** The largest contributors, in words. */
function largest(resources: readonly ResourceCost[], measure: Measure): string {
  const measured = resources
    .flatMap((resource) => {
      const measurement = measure(resource);
      return measurement?.size.isPositive() && !measurement.size.isZero() ? [{ resource, ...measurement }] : [];
    })
    .sort((a, b) => b.size.comparedTo(a.size));
  if (measured.length === 0) return "";
  const texts = measured.map(({ resource, text }) =>
    `${operationSigns[resource.operation]} ${resource.type} ${resource.name} ${text}`.trim(),
  );
  return `: ${listed(texts)}`;
}

function listed(texts: readonly string[]): string {
  const named = texts.slice(0, NAMED_CONTRIBUTORS).join(", ");
  const others = texts.length - NAMED_CONTRIBUTORS;
  return others > 0 ? `${named} and ${others} more` : named;
}
