import { z } from "zod";
import { decimal } from "../../api/schema";
import type { Cost, Unpriced } from "../../cost/cost";
import type { CostSide } from "../../cost/resource-cost";
import type { PreviewState } from "../pulumi/preview-json";

/** Amounts in another currency cannot be added up. */
const CURRENCY = "USD";

const cost: z.ZodType<Cost> = z.object({
  currency: z.string(),
  monthlyTotal: decimal,
  usageDimensions: z.array(
    z.object({
      dimension: z.string(),
      displayName: z.string(),
      quantity: z.number(),
      unitPrice: decimal,
      monthlyAmount: decimal,
    }),
  ),
});

const unpriced: z.ZodType<Unpriced> = z.union([
  z.object({ status: z.literal("notOffered") }),
  z.object({ status: z.literal("unknown"), reason: z.string().default("the service gave no price") }),
]);

/** What a state says of its cost: the quote in its inputs, or, where those are older than quotes, in its outputs. */
export function costSide({ inputs, outputs }: PreviewState): CostSide {
  const found = inputs?.["cost"] ?? outputs?.["cost"];
  if (found === undefined || found === null) {
    return { cost: undefined, unpriced: unpriced.safeParse(inputs?.["__unpriced"]).data };
  }
  const read = cost.safeParse(found);
  // A program may have made it a secret: then Pulumi shows other text in its place.
  if (!read.success) return unknownBecause("what the preview shows of it is no quote");
  if (read.data.currency !== CURRENCY) return unknownBecause(`it is quoted in ${read.data.currency}`);
  return { cost: read.data };
}

function unknownBecause(reason: string): CostSide {
  return { cost: undefined, unpriced: { status: "unknown", reason } };
}
