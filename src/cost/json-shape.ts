import { z } from "zod";

// What `cloudinfra cost --format json` prints, version 2. docs/cost.schema.json is made from this:
// `UPDATE_GOLDEN=true npm test -- test/cli/published-schemas`.

const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ id: "amount", description: "US dollars a month, exact." });
const amountOrNull = amount.nullable();
const percent = z.string().nullable().meta({
  id: "percent",
  description:
    "The difference in percent of what was before, such as `+150%`; null if there was nothing, or nothing differs.",
});

const side = z.strictObject({ quantity: z.number(), unitPrice: amount, monthlyAmount: amount });

const usageDimension = z
  .strictObject({
    dimension: z.string().meta({ description: "The service's identifier." }),
    displayName: z.string().meta({ description: "The service's words for it." }),
    before: side.nullable().meta({ description: "Null if it is not billed by this." }),
    after: side.nullable(),
    delta: amountOrNull.meta({
      description: "The difference of the monthly amounts; null if a side of the resource is not known.",
    }),
  })
  .meta({
    id: "usageDimension",
    description: "What the resource is billed by. The service may bill by one dimension in several rows.",
  });

const resource = z
  .strictObject({
    urn: z.string(),
    type: z.string().meta({ description: "The class: ConnectConnection." }),
    name: z.string().meta({ description: "The logical name: what the program calls it." }),
    operation: z.enum(["create", "update", "replace", "delete", "same"]),
    status: z.enum(["priced", "unknown", "notOffered"]).meta({
      description: "notOffered: the service has no quotes for it, which does not mean that it is free.",
    }),
    reason: z.string().optional().meta({ description: "Why a side is not known." }),
    before: amountOrNull.meta({ description: "Null if it is not known. 0 if the resource does not exist yet." }),
    after: amountOrNull.meta({ description: "Null if it is not known. 0 if the resource no longer exists." }),
    delta: amountOrNull.meta({ description: "After minus before; null if one of them is." }),
    usageDimensions: z.array(usageDimension),
  })
  .meta({ id: "resource" });

const breach = z
  .strictObject({
    source: z.string().meta({ description: "Whose limit it is: `CostSummary cost`, or the flag `--fail-over-total`." }),
    limit: z.enum(["monthlyTotal", "monthlyIncrease", "perResource", "onUnknown"]),
    enforce: z.enum(["mandatory", "advisory"]),
    allowed: amountOrNull.meta({ description: "Null for onUnknown." }),
    amount: amountOrNull.meta({ description: "The total, the increase, or the most expensive resource." }),
    exceededBy: amountOrNull,
    resources: z
      .array(z.strictObject({ urn: z.string(), type: z.string(), name: z.string(), amount: amountOrNull }))
      .meta({ description: "The resources that the limit is exceeded by, the largest first." }),
    reason: z.string().meta({ description: "All of it in a sentence." }),
  })
  .meta({ id: "overBudget", description: "A limit that is exceeded." });

const sums = {
  before: amount.meta({ description: "The sum over the resources of which both sides are known." }),
  after: amount.meta({ description: "The same, after the change." }),
  delta: amount.meta({ description: "After minus before." }),
  percent,
  atLeast: z.boolean().meta({ description: "Whether some cost is not known, so that it may be more." }),
  unknown: z.int().meta({ description: "How many costs are not known." }),
};

const stack = z
  .strictObject({
    project: z.string(),
    stack: z.string(),
    ...sums,
    partial: z.literal(true).optional().meta({
      description: "There if the preview was of some of the stack's resources only (--target).",
    }),
    overBudget: z.array(breach).meta({ description: "Exceeded limits of this stack; empty if there are none." }),
    resources: z.array(resource).meta({ description: "The largest difference first, then by name." }),
    organization: z.strictObject({ before: amount, after: amount }).optional().meta({
      description:
        "The bill of the whole organization, estimated: now, and with the difference. There if the service shows it.",
    }),
    notes: z.array(z.string()).meta({ description: "What else has to be known, in sentences." }),
  })
  .meta({ id: "stack" });

/** The whole document. */
export const costDocument = z
  .strictObject({
    version: z.literal("2"),
    currency: z.literal("USD"),
    stacks: z.array(stack).meta({ description: "In the order that they were asked for." }),
    total: z.strictObject(sums).meta({ description: "All stacks together." }),
    overBudget: z.array(breach).meta({
      description: "Exceeded limits of several stacks together; those of one stack stand with it.",
    }),
  })
  .meta({
    title: "What `cloudinfra cost --format json` prints",
    description: "The same shape for one stack and for several.",
  });

export type CostDocument = z.infer<typeof costDocument>;
export type BreachJson = z.infer<typeof breach>;
