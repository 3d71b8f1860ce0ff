import { instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { all, one, shape, outputForm } from "../lookup";
import { organizationId, sort, word } from "./filters";

const span = { startedAt: text(), endedAt: text({ optional: true }) };
const leaf = { id: text(), dimension: text(), quantity: integer(), ...span };
const line = { dimension: text(), displayName: text(), quantityHours: text(), cost: text() };

/** The present monthly cost of the organization, and how long its balance lasts. Amounts are decimal strings. */
export const getBillingSummary = one("getBillingSummary", {
  path: "/v1/organizations/{organizationId}/billing/summary",
  args: { organizationId },
  result: shape({
    ...{ dailyCost: text(), monthlyCost: text(), effectiveBalance: text(), rechargeThresholdDays: text() },
    estimatedNextChargeAt: instant({ optional: true, shown: "maybe" }),
    runwayMonths: text({ optional: true, shown: "maybe" }),
  }),
});
/** The output form of `getBillingSummary`: it accepts Inputs and returns an Output. */
export const getBillingSummaryOutput = outputForm(getBillingSummary);
/** The payments and corrections of an organization, newest first. */
export const getBillingHistory = all("getBillingHistory", {
  path: "/v1/organizations/{organizationId}/billing/history",
  args: { organizationId, createdAtMin: word, createdAtMax: word, currency: word, purpose: word, type: word, sort },
  result: shape({
    ...{ id: text(), type: openOneOf(["grant", "adjustment"]), amount: text(), currency: text() },
    ...{ createdAt: instant(), description: text({ optional: true, shown: "maybe" }) },
    purpose: text({ optional: true, shown: "maybe" }),
    receiptUrl: text({ optional: true, shown: "maybe" }),
  }),
});
/** The output form of `getBillingHistory`: it accepts Inputs and returns an Output. */
export const getBillingHistoryOutput = outputForm(getBillingHistory);
/** The cost of each day: at most 90 days, and the last 30 if no dates are given. */
export const getDailyCost = one("getDailyCost", {
  path: "/v1/organizations/{organizationId}/billing/cost",
  args: { organizationId, from: word, to: word },
  result: shape({
    ...{ currency: text(), from: text(), to: text() },
    days: list(object({ date: text(), cost: text() })),
  }),
});
/** The output form of `getDailyCost`: it accepts Inputs and returns an Output. */
export const getDailyCostOutput = outputForm(getDailyCost);
/** The cost of a month, by project and resource. */
export const getUsageStatement = one("getUsageStatement", {
  path: "/v1/organizations/{organizationId}/billing/statements",
  args: { organizationId, month: word },
  result: shape({
    ...{ currency: text(), month: text(), total: text() },
    projects: list(
      object({
        ...{ projectId: text(), projectName: text(), subtotal: text() },
        resourceTypes: list(
          object({
            ...{ resourceType: text(), subtotal: text() },
            items: list(
              object({
                ...line,
                unitPrice: text({ optional: true, shown: "maybe" }),
                children: list(object({ ...line, unitPrice: text() })),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
});
/** The output form of `getUsageStatement`: it accepts Inputs and returns an Output. */
export const getUsageStatementOutput = outputForm(getUsageStatement);
/** The usage of each resource, with its start. */
export const getUsage = all("getUsage", {
  path: "/v1/usage",
  args: {
    ...{ activeAtMin: word, activeAtMax: word, dimension: word, region: word, resourceId: word, resourceType: word },
    sort,
  },
  result: shape({
    ...{ resourceId: text(), resourceType: text(), projectId: text(), region: text(), ...span },
    dimensions: list(object({ ...leaf, children: list(object(leaf), { optional: true, shown: "maybe" }) })),
  }),
});
/** The output form of `getUsage`: it accepts Inputs and returns an Output. */
export const getUsageOutput = outputForm(getUsage);
