import { instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { all, lookup, one, shape, twin } from "../lookup";
import { organizationId, sort, word } from "./filters";

const span = { startedAt: text(), endedAt: text({ optional: true }) };
const leaf = { id: text(), dimension: text(), quantity: integer(), ...span };
const line = { dimension: text(), displayName: text(), quantityHours: text(), cost: text() };

/** What is looked up of money: amounts are decimal strings. */
export const billing = {
  getBillingSummary: lookup({
    about: "What the organization pays now, and how long its balance lasts.",
    path: "/v1/organizations/{organizationId}/billing/summary",
    args: { organizationId },
    result: shape({
      ...{ dailyCost: text(), monthlyCost: text(), effectiveBalance: text(), rechargeThresholdDays: text() },
      estimatedNextChargeAt: instant({ optional: true, shown: "maybe" }),
      runwayMonths: text({ optional: true, shown: "maybe" }),
    }),
    finds: "one",
  }),
  getBillingHistory: lookup({
    about: "What was paid in, and what was corrected, newest first.",
    path: "/v1/organizations/{organizationId}/billing/history",
    args: { organizationId, createdAtMin: word, createdAtMax: word, currency: word, purpose: word, type: word, sort },
    result: shape({
      ...{ id: text(), type: openOneOf(["grant", "adjustment"]), amount: text(), currency: text() },
      ...{ createdAt: instant(), description: text({ optional: true, shown: "maybe" }) },
      purpose: text({ optional: true, shown: "maybe" }),
      receiptUrl: text({ optional: true, shown: "maybe" }),
    }),
    finds: "all",
  }),
  getDailyCost: lookup({
    about: "What each day has cost. Without dates: the last 30 days.",
    path: "/v1/organizations/{organizationId}/billing/cost",
    args: { organizationId, from: word, to: word },
    result: shape({
      ...{ currency: text(), from: text(), to: text() },
      days: list(object({ date: text(), cost: text() })),
    }),
    finds: "one",
  }),
  getUsageStatement: lookup({
    about: "What a month has cost, by project and resource. Without a month: this one.",
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
    finds: "one",
  }),
  getUsage: lookup({
    about: "What each resource has used, and since when.",
    path: "/v1/usage",
    args: {
      ...{ activeAtMin: word, activeAtMax: word, dimension: word, region: word, resourceId: word, resourceType: word },
      sort,
    },
    result: shape({
      ...{ resourceId: text(), resourceType: text(), projectId: text(), region: text(), ...span },
      dimensions: list(object({ ...leaf, children: list(object(leaf), { optional: true, shown: "maybe" }) })),
    }),
    finds: "all",
  }),
};

/** What the organization pays now, and how long its balance lasts. Amounts are decimal strings. */
export const getBillingSummary = one("getBillingSummary", billing.getBillingSummary);
/** What the organization pays now, as an output. */
export const getBillingSummaryOutput = twin(getBillingSummary);
/** What was paid in, and what was corrected, newest first. */
export const getBillingHistory = all("getBillingHistory", billing.getBillingHistory);
/** What was paid in, and what was corrected, as an output. */
export const getBillingHistoryOutput = twin(getBillingHistory);
/** What each day has cost: at most 90 days, and the last 30 if no dates are given. */
export const getDailyCost = one("getDailyCost", billing.getDailyCost);
/** What each day has cost, as an output. */
export const getDailyCostOutput = twin(getDailyCost);
/** What a month has cost, by project and resource. */
export const getUsageStatement = one("getUsageStatement", billing.getUsageStatement);
/** What a month has cost, as an output. */
export const getUsageStatementOutput = twin(getUsageStatement);
/** What each resource has used, and since when. */
export const getUsage = all("getUsage", billing.getUsage);
/** What each resource has used, as an output. */
export const getUsageOutput = twin(getUsage);
