import { z } from "zod";
import { conflict, invalid } from "../model/rejection";
import { seededIds } from "../model/catalogs";
import { Decimal } from "../model/prices";
import { dayMs } from "../model/time";
import { organizationNoun } from "../nouns/organization";
import { billingSummarySchema } from "../schemas/billing";
import { decimal } from "../schemas/primitives";
import type { Call } from "./call";
import { dailyCosts, statementOf } from "./consumption";
import { billingSummary } from "./cost-answers";
import { type EndpointAnswer, type Endpoint, defineEndpoint, showEndpoint } from "./endpoint";
import { find } from "./noun-requests";

const path = "/v1/organizations/{organization_id}/billing";

const read = { resourceType: "usage", level: "read" } as const;

/** What both requests that charge the card have in common. */
const charging = (name: string, verb: string) =>
  ({
    method: "POST",
    path: `${path}/${name}`,
    needs: { resourceType: "organization", level: "edit" },
    needsIdempotencyKey: true,
    response: billingSummarySchema,
    audit: { action: `organization.${verb}`, targetType: "organization", targetParameter: "organization_id" },
  }) as const;

const longestRangeDays = 90;

const day = z.iso.date("must be a day, such as 2026-03-01").describe("A UTC day, YYYY-MM-DD");
const month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month, such as 2026-03")
  .describe("A UTC month, YYYY-MM");

const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, 10);

/** The requested days. Default: the thirty days that end with `to`, which is today by default. */
function rangeOf(query: { readonly from?: string | undefined; readonly to?: string | undefined }, nowMs: number) {
  const to = query.to ?? dayOf(nowMs);
  const from = query.from ?? dayOf(Math.max(Date.parse(to) - 30 * dayMs, Date.parse("0000-01-01")));
  const days = (Date.parse(to) - Date.parse(from)) / dayMs;
  if (days < 0) throw invalid({ from: "must not be after to" });
  if (days > longestRangeDays) throw invalid({ from: `must be at most ${longestRangeDays} days before to` });
  return { from, to };
}

/** Rejects other organizations: resources belong to the organization of the keys. */
const usedBy = ({ world }: Call, organizationId: string) =>
  organizationId === seededIds.organization ? [...world.billing.usage.table.all()] : [];

/** Charges once per idempotency key. A repeated request gets the first answer without a new charge. */
function once(call: Call, request: string, charge: () => void): EndpointAnswer {
  const { idempotencyKey } = call.request;
  const { id } = find(call, organizationNoun);
  if (!idempotencyKey) throw invalid({ "Idempotency-Key": "the header is required" });
  const { paidRequests } = call.world.billing;
  const before = paidRequests.get(`${id} ${idempotencyKey}`);
  if (before && before.request !== request) throw conflict("the Idempotency-Key was used for another request");
  if (before) return { body: before.answer };
  charge();
  const answer = billingSummary(call, id);
  paidRequests.set(`${id} ${idempotencyKey}`, { request, answer });
  return { body: answer };
}

/** Paths and shapes are those of the public clients. */
export const billingEndpoints: readonly Endpoint[] = [
  showEndpoint({
    path: `${path}/summary`,
    operationId: "getBillingSummary",
    summary: "Shows the balance, and the monthly cost of the running resources.",
    needs: read,
    response: billingSummarySchema,
    show: (call) => billingSummary(call, find(call, organizationNoun).id),
  }),
  showEndpoint({
    path: `${path}/cost`,
    operationId: "getDailyCost",
    summary: "Shows the cost of each day, in the projects that the key reaches.",
    needs: read,
    query: z.object({ from: day.optional(), to: day.optional() }),
    response: z.object({
      currency: z.literal("USD"),
      from: z.string(),
      to: z.string(),
      days: z.array(z.object({ date: z.string(), cost: decimal })),
    }),
    show(call) {
      const { id } = find(call, organizationNoun);
      const range = rangeOf(call.query(), call.nowMs);
      return { currency: "USD", ...range, days: dailyCosts(call, usedBy(call, id), range) };
    },
  }),
  showEndpoint({
    path: `${path}/statements`,
    operationId: "getUsageStatement",
    summary: "Shows the usage of a month, in the projects that the key reaches.",
    needs: read,
    query: z.object({ month: month.optional() }),
    response: statementSchema(),
    show(call) {
      const { id } = find(call, organizationNoun);
      const { month: given = dayOf(call.nowMs).slice(0, 7) } = call.query();
      return statementOf(call, usedBy(call, id), given);
    },
  }),
  defineEndpoint({
    ...charging("topup", "top_up"),
    operationId: "topUp",
    summary: "Charges the card and credits the balance.",
    body: z.strictObject({
      amount: z
        .string()
        .regex(/^\d{1,5}(\.\d{1,2})?$/, "must be an amount in USD with at most 2 decimals, as a string")
        .refine((text) => Number(text) > 0 && Number(text) <= 10_000, "must be more than 0 and at most 10000"),
    }),
    handle(call) {
      const { id } = find(call, organizationNoun);
      const { amount } = call.body();
      return once(call, `topup ${new Decimal(amount).toString()}`, () => {
        const { world } = call;
        const isFirst = world.kept("billingHistory", id).length === 0;
        world.billing.account(id).credit(new Decimal(amount), isFirst ? "first_charge" : "manual_top_up", call.nowMs);
      });
    },
  }),
  defineEndpoint({
    ...charging("recharge", "recharge"),
    operationId: "recharge",
    summary: "Charges the card up to the target of the automatic policy now.",
    handle(call) {
      const { id, charging_model: model } = find(call, organizationNoun);
      const account = call.world.billing.account(id);
      return once(call, "recharge", () => {
        if (model !== "prepaid" || !account.isAutomatic) {
          throw conflict("only a prepaid organization with an automatic policy is recharged: top it up");
        }
        account.rechargeNow(call.nowMs);
      });
    },
  }),
];

function statementSchema() {
  const leaf = { dimension: z.string(), display_name: z.string(), quantity_hours: decimal, cost: decimal };
  const item = z.object({
    ...leaf,
    unit_price: decimal.nullable().describe("Of an hour; null for an item with children"),
    children: z.array(z.object({ ...leaf, unit_price: decimal })),
  });
  const type = z.object({ resource_type: z.string(), subtotal: decimal, items: z.array(item) });
  const project = z.object({
    project_id: z.string(),
    project_name: z.string(),
    subtotal: decimal,
    resource_types: z.array(type),
  });
  return z.object({ currency: z.literal("USD"), month: z.string(), total: decimal, projects: z.array(project) });
}
