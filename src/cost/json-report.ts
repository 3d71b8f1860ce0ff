import type { Decimal } from "decimal.js";
import { decimalText } from "./money";
import { deltaOf, dimensionDelta, isKnown, type CostReport, type PricedQuantity, type ResourceCost } from "./report";

/** The reports for machines: docs/cost.schema.json. One object for one stack, a list for several. Amounts are exact. */
export function jsonReport(reports: readonly CostReport[]): string {
  const shown = reports.map(reportJson);
  return `${JSON.stringify(shown.length === 1 ? shown[0] : shown, undefined, 2)}\n`;
}

function reportJson({ stack, before, after, delta, atLeast, resources, organization, isPartial }: CostReport): object {
  return {
    version: "1",
    currency: "USD",
    stack,
    before: decimalText(before),
    after: decimalText(after),
    delta: decimalText(delta),
    atLeast,
    ...(isPartial && { partial: true }),
    resources: resources.map(resourceJson),
    ...(organization && {
      organization: { before: decimalText(organization.before), after: decimalText(organization.after) },
    }),
  };
}

function resourceJson(resource: ResourceCost): object {
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

function quantityJson(side: PricedQuantity | undefined): object | null {
  if (side === undefined) return null;
  const { quantity, unitPrice, monthlyAmount } = side;
  return { quantity, unitPrice: decimalText(unitPrice), monthlyAmount: decimalText(monthlyAmount) };
}

function textOrNull(amount: Decimal | undefined): string | null {
  return amount === undefined ? null : decimalText(amount);
}
