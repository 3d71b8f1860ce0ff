import type { PricedQuantity, ResourceCost } from "./resource-cost";
import { jsonText } from "../text/json";
import type { Decimal } from "decimal.js";
import type { BudgetBreach, CostDocument } from "./cost-document";
import { decimalText, percentText } from "./money";
import { caveatsOf } from "./notes";
import type { Renderer } from "./renderer";
import { combinedReport, deltaOf, dimensionDelta, isKnown, unknownCount, type CostReport } from "./report";

/** The reports as JSON, by docs/cost.schema.json. Amounts are exact. */
export const jsonReport: Renderer = (reports, { overBudget = [] } = {}) => jsonText(documentOf(reports, overBudget));

function documentOf(reports: readonly CostReport[], overBudget: readonly BudgetBreach[]): CostDocument {
  return {
    version: "1",
    currency: "USD",
    stacks: reports.map((report) => ({
      ...(report.pulumiOrganization !== undefined && { pulumiOrganization: report.pulumiOrganization }),
      project: report.project,
      stack: report.stack,
      ...sumsOf(report),
      ...(report.isPartial && { partial: true as const }),
      overBudget: [...report.overBudget],
      resources: report.resources.map(resourceJson),
      ...(report.organization && { organization: beforeAndAfter(report.organization) }),
      notes: [...caveatsOf(report)],
    })),
    total: sumsOf(combinedReport(reports)),
    overBudget: [...overBudget],
  };
}

function beforeAndAfter({ before, after }: Pick<CostReport, "before" | "after">): { before: string; after: string } {
  return { before: decimalText(before), after: decimalText(after) };
}

function sumsOf(report: CostReport): CostDocument["total"] {
  const { before, delta, atLeast } = report;
  return {
    ...beforeAndAfter(report),
    delta: decimalText(delta),
    percent: percentText(delta, before) ?? null,
    atLeast,
    unknown: unknownCount(report),
  };
}

export function resourceJson(resource: ResourceCost): CostDocument["stacks"][number]["resources"][number] {
  const { urn, type, name, operation, status, reason, before, after, dimensions } = resource;
  return {
    urn,
    type,
    name,
    operation,
    status,
    ...(reason !== undefined && { reason }),
    before: textOrNull(before),
    after: textOrNull(after),
    delta: textOrNull(deltaOf(resource)),
    usageDimensions: dimensions.map((dimension) => ({
      dimension: dimension.dimension,
      displayName: dimension.displayName,
      before: quantityJson(dimension.before),
      after: quantityJson(dimension.after),
      delta: isKnown(resource) ? decimalText(dimensionDelta(dimension)) : null,
    })),
  };
}

function quantityJson(
  side: PricedQuantity | undefined,
): { quantity: number; unitPrice: string; monthlyAmount: string } | null {
  if (side === undefined) return null;
  const { quantity, unitPrice, monthlyAmount } = side;
  return { quantity, unitPrice: decimalText(unitPrice), monthlyAmount: decimalText(monthlyAmount) };
}

function textOrNull(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : decimalText(amount);
}
