import { z } from "zod";
import { billingPurposes } from "../model/billing";
import { seededIds } from "../model/seed";
import { createdBetween } from "../schemas/filters";
import { decimal, identity } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

/** BillingHistoryEntry (section 2.5). */
const stored = z.object({
  ...identity,
  organization_id: z.string(),
  type: z.enum(["grant", "adjustment"]),
  amount: decimal,
  currency: z.string(),
  description: z.string().nullable(),
  purpose: z.enum(billingPurposes).nullable(),
  receipt_url: z.string().nullable(),
});

/** The payments and refunds of an organization. Requests and the policy add entries, and the control port adds the others. */
export const billingHistoryNoun = defineNoun({
  key: "billingHistory",
  kind: "billing_history",
  noun: "billing history entry",
  path: "/v1/organizations/{organization_id}/billing/history",
  parent: organizationNoun,
  isListOnly: true,
  newestFirst: true,
  stored,
  hidden: ["organization_id", "updated_at"],
  filteredBy: ["purpose", "type"],
  filters: {
    ...createdBetween<z.infer<typeof stored>>(({ created_at }) => Date.parse(created_at)),
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
