import { z } from "zod";
import { type BillingEntry, billingPurposes } from "../model/billing";
import { seededIds } from "../model/seed";
import { formatTimestamp } from "../model/timestamp";
import { createdBetween, equals } from "../schemas/filters";
import { dateTime, decimal } from "../schemas/primitives";
import { defineNoun } from "./noun";
import { organizationNoun } from "./organization";

const entryType = z.enum(["grant", "adjustment"]);
const purpose = z.enum(billingPurposes);

/** BillingHistoryEntry (section 2.5). */
const shown = z.object({
  id: z.string(),
  type: entryType,
  amount: decimal,
  currency: z.string(),
  created_at: dateTime,
  description: z.string().nullable(),
  purpose: purpose.nullable(),
  receipt_url: z.string().nullable(),
});

/** The payments and refunds of an organization. Requests and the policy add entries, and the control port adds the others. */
export const billingHistoryNoun = defineNoun<BillingEntry>({
  key: "billingHistory",
  noun: "billing history entry",
  typeName: "BillingHistory",
  targetType: "billing_history_entry",
  resourceType: "organization",
  path: "/v1/organizations/{organization_id}/billing/history",
  idParameter: "billing_history_entry_id",
  parent: organizationNoun,
  isListOnly: true,
  newestFirst: true,
  kept: shown.extend({ organization_id: z.string(), updated_at: dateTime }),
  shown,
  filters: {
    ...createdBetween(({ created_at }) => Date.parse(created_at)),
    currency: {
      schema: z.string().optional().describe("In any case"),
      matches: ({ currency }, wanted) => currency === String(wanted).toUpperCase(),
    },
    purpose: equals(purpose, (entry) => entry.purpose),
    type: equals(entryType, ({ type }) => type),
  },
  sorts: ["amount"],
  sortValues: { amount: ({ amount }) => Number(amount) },
  show: ({ id, type, amount, currency, created_at, description, purpose: why, receipt_url }) => ({
    ...{ id, type, amount, currency, created_at, description, purpose: why, receipt_url },
  }),
  initial({ nowMs }) {
    const now = formatTimestamp(nowMs);
    const { firstCharge: id, organization: organization_id } = seededIds;
    return [
      {
        ...{ id, organization_id, type: "grant", amount: "10000.00", currency: "USD", purpose: "first_charge" },
        ...{ description: null, receipt_url: `https://receipts.invalid/${id}`, created_at: now, updated_at: now },
      },
    ];
  },
});
