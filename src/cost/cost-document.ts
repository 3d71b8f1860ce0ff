import { z } from "zod";

// The output of `cloudinfra cost --format json`. docs/cost.schema.json is made from this: `UPDATE_GOLDEN=true npm
// test -- test/cli/published-schemas`.

const amount = z
  .string()
  .regex(/^-?\d+(\.\d+)?$/)
  .meta({ id: "amount", description: "US dollars a month, exact." });
const amountOrNull = amount.nullable();
const percent = z.string().nullable().meta({
  id: "percent",
  description:
    "The difference as a percentage of the cost before, such as `+150%`. Null if there was no cost, or no difference.",
});

const side = z.strictObject({ quantity: z.number(), unitPrice: amount, monthlyAmount: amount });

const usageDimension = z
  .strictObject({
    dimension: z.string().meta({ description: "The API's identifier." }),
    displayName: z.string().meta({ description: "The API's name for it, for people." }),
    before: side.nullable().meta({ description: "Null if this dimension does not bill the resource." }),
    after: side.nullable(),
    delta: amountOrNull.meta({
      description: "The difference of the monthly amounts. Null if a cost of the resource is unknown.",
    }),
  })
  .meta({
    id: "usageDimension",
    description: "A dimension that bills the resource. The API may use one dimension in several rows.",
  });

const resource = z
  .strictObject({
    urn: z.string(),
    type: z.string().meta({ description: "The class: ConnectConnection." }),
    name: z.string().meta({ description: "The logical name: the name in the program." }),
    operation: z.enum(["create", "update", "replace", "delete", "same"]),
    status: z.enum(["priced", "unknown", "notOffered"]).meta({
      description: "notOffered: the API has no quotes for it. It may cost something.",
    }),
    reason: z.string().optional().meta({ description: "Why a cost is unknown." }),
    before: amountOrNull.meta({ description: "Null if unknown. 0 if the resource does not exist yet." }),
    after: amountOrNull.meta({ description: "Null if unknown. 0 if the resource no longer exists." }),
    delta: amountOrNull.meta({ description: "After minus before. Null if one of them is null." }),
    usageDimensions: z.array(usageDimension),
  })
  .meta({ id: "resource" });

const breach = z
  .strictObject({
    source: z
      .string()
      .meta({ description: "The source of the limit: `CostSummary cost`, or the flag `--fail-over-total`." }),
    limit: z
      .enum(["monthlyTotal", "monthlyIncrease", "perResource", "onUnknown", "approved"])
      .meta({ description: "approved: the changes differ from those of the approved report." }),
    enforce: z.enum(["mandatory", "advisory"]),
    allowed: amountOrNull.meta({ description: "Null for onUnknown." }),
    amount: amountOrNull.meta({ description: "The total, the increase, or the most expensive resource." }),
    exceededBy: amountOrNull,
    resources: z
      .array(z.strictObject({ urn: z.string(), type: z.string(), name: z.string(), amount: amountOrNull }))
      .meta({ description: "The resources that contribute most, the largest first." }),
    reason: z.string().meta({ description: "The same in one sentence." }),
  })
  .meta({ id: "overBudget", description: "A limit that is exceeded." });

const sums = {
  before: amount.meta({
    description: "The sum of the costs before, of the resources whose costs before and after are known.",
  }),
  after: amount.meta({ description: "The same, after the change." }),
  delta: amount.meta({ description: "After minus before." }),
  percent,
  atLeast: z.boolean().meta({ description: "True if a cost is unknown: the sums may be higher." }),
  unknown: z.int().meta({ description: "The number of unknown costs." }),
};

const stack = z
  .strictObject({
    pulumiOrganization: z.string().optional().meta({
      description:
        "The organization in Pulumi. Absent in a backend without organizations, for a preview file, and if Pulumi does not say it.",
    }),
    project: z.string(),
    stack: z.string(),
    ...sums,
    partial: z.literal(true).optional().meta({
      description: "Present if the preview covers only some of the stack's resources (--target).",
    }),
    overBudget: z.array(breach).meta({ description: "The exceeded limits of this stack." }),
    resources: z.array(resource).meta({ description: "The largest difference first, then by name." }),
    organization: z.strictObject({ before: amount, after: amount }).optional().meta({
      description:
        "The estimated bill of the whole organization: now, and with the difference. Present if the API shows it.",
    }),
    notes: z.array(z.string()).meta({ description: "Notes on the report, in sentences." }),
  })
  .meta({ id: "stack" });

export const costDocument = z
  .strictObject({
    version: z.literal("1"),
    currency: z.literal("USD"),
    stacks: z.array(stack).meta({ description: "In the order of the command line." }),
    total: z.strictObject(sums).meta({ description: "All stacks together." }),
    overBudget: z.array(breach).meta({
      description: "The exceeded limits of all stacks together. The limits of one stack are in its report.",
    }),
  })
  .meta({
    title: "The output of `cloudinfra cost --format json`",
    description: "The same shape for one stack and for several.",
  });

export type CostDocument = z.infer<typeof costDocument>;
/**
 * An exceeded limit of a budget. The provider writes it into the run's notes, and `cloudinfra cost` prints it
 * unchanged.
 */
export type BudgetBreach = z.infer<typeof breach>;
