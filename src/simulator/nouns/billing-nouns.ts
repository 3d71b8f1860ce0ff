import { z } from "zod";
import { seededIds } from "../model/catalogs";
import { createdBetween } from "../schemas/lists";
import { type BillingEntry, billingEntry, rechargePolicy } from "../schemas/billing";
import { dateTime } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

/**
 * The payments and refunds of an organization. Requests and the policy add entries; the control port can add others.
 */
export const billingHistoryNoun = defineNoun({
  key: "billingHistory",
  kind: "billing_history",
  noun: "billing history entry",
  path: "/v1/organizations/{organization_id}/billing/history",
  parent: organizationNoun,
  isListOnly: true,
  newestFirst: true,
  stored: billingEntry,
  hidden: ["organization_id", "updated_at"],
  filteredBy: ["purpose", "type"],
  filters: {
    ...createdBetween<BillingEntry>(({ created_at }) => Date.parse(created_at)),
    currency: {
      schema: z.string().optional().describe("In any case"),
      matches: ({ currency }, wanted) => currency === String(wanted).toUpperCase(),
    },
  },
  sorts: ["amount"],
  sortValues: { amount: ({ amount }) => Number(amount) },
  seed(_world, times) {
    const { firstCharge: id, organization: organization_id } = seededIds;
    const receipt = { description: null, receipt_url: `https://receipts.invalid/${id}` };
    const payment = { type: "grant", amount: "10000.00", currency: "USD", purpose: "first_charge" } as const;
    return [{ id, organization_id, ...payment, ...receipt, ...times }];
  },
});

/** A Decimal of a request (section 2.1) that is not below zero. */
const amountInput = z.string().regex(/^\d{1,30}(\.\d{1,30})?$/, 'must be a decimal as a string, for example "58.40"');

const update = z.strictObject({
  policy: rechargePolicy.shape.policy,
  policy_args: z
    .strictObject({ fixed: amountInput, runway_days: amountInput, monthly_cap: amountInput.nullable().optional() })
    .optional()
    .describe("Required for automatic, absent for manual"),
});

/** The recharge policies (section 2.5). */
export const rechargePolicyNoun = defineNoun({
  key: "rechargePolicies",
  kind: "recharge_policy",
  path: "/v1/organizations/{organization_id}/billing/recharge_policy",
  parent: organizationNoun,
  isSingleton: true,
  stored: rechargePolicy,
  hidden: ["id", "organization_id", "created_at", "updated_at"],
  // Every change of the policy updates it, also a change of a threshold.
  computed: { policy_since: dateTime },
  update,
  isDirect: true,
  updateRules({ request }, _policy, { policy, policy_args: args }, report) {
    // The schema has already reported malformed members, and left them out here.
    const isAbsent = !Object.hasOwn(Object(request.body) as object, "policy_args");
    if (policy === "automatic" && isAbsent) report("policy_args", "is required");
    if (policy === "manual" && args !== undefined) report("policy_args", "must be absent for a manual policy");
  },
  change: (_policy, { policy = "manual", policy_args: args }) => ({
    policy,
    policy_args: args ? { ...args, monthly_cap: args.monthly_cap ?? null } : null,
  }),
  afterUpdate(_before, { organization_id }, world) {
    world.billing.account(organization_id).review(world.nowMs);
  },
  show: ({ updated_at }) => ({ policy_since: updated_at }),
  seed(_world, times) {
    const { rechargePolicy: id, organization: organization_id } = seededIds;
    return [{ id, organization_id, policy: "manual" as const, policy_args: null, ...times }];
  },
});
