import { instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { all, one, outputForm, shape, shapeAs, type ArgsOf, type ResultOf } from "../lookup";
import { word } from "./filters";

const span = {
  /** When the use began: ISO 8601, UTC. */
  startedAt: instant(),
  /** When the use ended: ISO 8601, UTC. Undefined while it goes on. */
  endedAt: instant({ optional: true }),
};

const leaf = {
  /** Its id. */
  id: text(),
  /** What is used, such as `compute_vcpu`. */
  dimension: text(),
  /** The quantity of the dimension, such as the number of virtual processors. */
  quantity: integer(),
  ...span,
};

const line = {
  /** What was used, such as `storage_abs_gb`. */
  dimension: text(),
  /** The API's words for it. */
  displayName: text(),
  /** The quantity times the hours of its use, a decimal string. */
  quantityHours: text(),
  /** The amount, a decimal string. */
  cost: text(),
};

const billingSummaryShape = shape({
  /** The present cost of a day, a decimal string. */
  dailyCost: text(),
  /** The present cost of a month, a decimal string. */
  monthlyCost: text(),
  /** The balance that is left, a decimal string. */
  effectiveBalance: text(),
  /** The threshold of a recharge, in days, a decimal string. */
  rechargeThresholdDays: text(),
  /** When the next charge is expected: ISO 8601, UTC. Undefined if nothing runs. */
  estimatedNextChargeAt: instant({ optional: true, shown: "maybe" }),
  /** How many months the balance lasts, a decimal string. */
  runwayMonths: text({ optional: true, shown: "maybe" }),
});
export interface BillingSummaryResult extends ResultOf<typeof billingSummaryShape> {}
/** The present cost of the organization, and how long its balance lasts. Amounts are decimal strings. */
export const getBillingSummary = one("getBillingSummary", {
  path: "/v1/organizations/{organizationId}/billing/summary",
  sharedArgs: ["organizationId"],
  result: shapeAs<BillingSummaryResult>(billingSummaryShape),
});
export interface GetBillingSummaryArgs extends ArgsOf<typeof getBillingSummary> {}
/** The output form of `getBillingSummary`: it accepts Inputs and returns an Output. */
export const getBillingSummaryOutput = outputForm(getBillingSummary);
export interface GetBillingSummaryOutputArgs extends ArgsOf<typeof getBillingSummaryOutput> {}

const billingHistoryShape = shape({
  /** Its id. */
  id: text(),
  /** `grant`: a prepaid credit. `adjustment`: a manual correction. */
  type: openOneOf(["grant", "adjustment"]),
  /** The amount, a decimal string. */
  amount: text(),
  /** The currency of the amount: an ISO 4217 code. */
  currency: text(),
  /** When it was made: ISO 8601, UTC. */
  createdAt: instant(),
  /** A note. */
  description: text({ optional: true, shown: "maybe" }),
  /** Its purpose, such as `first_charge` or `bonus_grant`. Undefined if no reason is recorded. */
  purpose: text({ optional: true, shown: "maybe" }),
  /** A link to the receipt of a charged card. */
  receiptUrl: text({ optional: true, shown: "maybe" }),
});
export interface BillingHistoryResult extends ResultOf<typeof billingHistoryShape> {}
/** The payments and corrections of an organization, newest first. */
export const getBillingHistory = all("getBillingHistory", {
  path: "/v1/organizations/{organizationId}/billing/history",
  args: {
    /** Only those in this currency, such as `USD`. */
    currency: word,
    /** Only those for this purpose, such as `auto_recharge` or `refund`. */
    purpose: word,
    /** Only those of this type: `grant` or `adjustment`. */
    type: word,
  },
  sharedArgs: ["organizationId", "createdAtMin", "createdAtMax", "sort"],
  result: shapeAs<BillingHistoryResult>(billingHistoryShape),
});
export interface GetBillingHistoryArgs extends ArgsOf<typeof getBillingHistory> {}
/** The output form of `getBillingHistory`: it accepts Inputs and returns an Output. */
export const getBillingHistoryOutput = outputForm(getBillingHistory);
export interface GetBillingHistoryOutputArgs extends ArgsOf<typeof getBillingHistoryOutput> {}

const dailyCostShape = shape({
  /** The currency of all amounts. */
  currency: text(),
  /** The first day, in UTC: `YYYY-MM-DD`. */
  from: text(),
  /** The last day, in UTC: `YYYY-MM-DD`. */
  to: text(),
  /** Each day, the oldest first. */
  days: list(
    object({
      /** The day, in UTC: `YYYY-MM-DD`. */
      date: text(),
      /** The amount, a decimal string. */
      cost: text(),
    }),
  ),
});
export interface DailyCostResult extends ResultOf<typeof dailyCostShape> {}
/** The cost of each day: at most 90 days, and the last 30 if no dates are given. */
export const getDailyCost = one("getDailyCost", {
  path: "/v1/organizations/{organizationId}/billing/cost",
  args: {
    /** The first day, in UTC: `YYYY-MM-DD`. Default: 30 days before `to`. */
    from: word,
    /** The last day, in UTC: `YYYY-MM-DD`. Default: today. */
    to: word,
  },
  sharedArgs: ["organizationId"],
  result: shapeAs<DailyCostResult>(dailyCostShape),
});
export interface GetDailyCostArgs extends ArgsOf<typeof getDailyCost> {}
/** The output form of `getDailyCost`: it accepts Inputs and returns an Output. */
export const getDailyCostOutput = outputForm(getDailyCost);
export interface GetDailyCostOutputArgs extends ArgsOf<typeof getDailyCostOutput> {}

const usageStatementShape = shape({
  /** The currency of all amounts. */
  currency: text(),
  /** The month, in UTC: `YYYY-MM`. */
  month: text(),
  /** The amount, a decimal string. */
  total: text(),
  /** Each project, by name. */
  projects: list(
    object({
      /** The id of the project. */
      projectId: text(),
      /** The name of the project. */
      projectName: text(),
      /** The amount of the project, a decimal string. */
      subtotal: text(),
      /** Each kind of resources. */
      resourceTypes: list(
        object({
          /** The kind, such as `vm` or `nks_node_pool`. */
          resourceType: text(),
          /** The amount of the kind, a decimal string. */
          subtotal: text(),
          /** Each line of the statement. */
          items: list(
            object({
              ...line,
              /** The price of one, a decimal string. Undefined for a bundle, whose `children` have prices. */
              unitPrice: text({ optional: true, shown: "maybe" }),
              /** The parts of a bundle. */
              children: list(
                object({
                  ...line,
                  /** The price of one, a decimal string. */
                  unitPrice: text(),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});
export interface UsageStatementResult extends ResultOf<typeof usageStatementShape> {}
/** The cost of a month, by project and resource. */
export const getUsageStatement = one("getUsageStatement", {
  path: "/v1/organizations/{organizationId}/billing/statements",
  args: {
    /** The month, in UTC: `YYYY-MM`. Default: the present one. */
    month: word,
  },
  sharedArgs: ["organizationId"],
  result: shapeAs<UsageStatementResult>(usageStatementShape),
});
export interface GetUsageStatementArgs extends ArgsOf<typeof getUsageStatement> {}
/** The output form of `getUsageStatement`: it accepts Inputs and returns an Output. */
export const getUsageStatementOutput = outputForm(getUsageStatement);
export interface GetUsageStatementOutputArgs extends ArgsOf<typeof getUsageStatementOutput> {}

const usageShape = shape({
  /** The id of the resource. */
  resourceId: text(),
  /** The kind of the resource, such as `vm`. */
  resourceType: text(),
  /** The id of its project. */
  projectId: text(),
  /** The name of its region. */
  region: text(),
  ...span,
  /** What it uses. */
  dimensions: list(
    object({
      ...leaf,
      /** The parts of a bundle. */
      children: list(object(leaf), { optional: true, shown: "maybe" }),
    }),
  ),
});
export interface UsageResult extends ResultOf<typeof usageShape> {}
/** The usage of each resource, with its start. */
export const getUsage = all("getUsage", {
  path: "/v1/usage",
  args: {
    /** Only use that had not ended at this time: ISO 8601, such as `2027-02-20T00:00:00Z`. */
    activeAtMin: word,
    /** Only use that had begun at this time: ISO 8601. */
    activeAtMax: word,
    /** Only use of this dimension, such as `compute_vcpu`. */
    dimension: word,
    /** Only use by the resource with this id. */
    resourceId: word,
    /** Only use by resources of this kind, such as `vm`. */
    resourceType: word,
    /** The order: `created_at:asc` or `created_at:desc`. */
    sort: word,
  },
  sharedArgs: ["region"],
  result: shapeAs<UsageResult>(usageShape),
});
export interface GetUsageArgs extends ArgsOf<typeof getUsage> {}
/** The output form of `getUsage`: it accepts Inputs and returns an Output. */
export const getUsageOutput = outputForm(getUsage);
export interface GetUsageOutputArgs extends ArgsOf<typeof getUsageOutput> {}
