import { z } from "zod";
import { decimal } from "../../api/schema";
import type { Cost, CostSide, Unpriced } from "../../cost/cost";
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
  if (!read.success) {
    const isTooLong = /\d{41}/.test(JSON.stringify(found));
    return unknownBecause(
      `its value in the preview is not a quote${isTooLong ? ": a number has more than 40 digits" : ""}`,
    );
  }
  if (read.data.currency !== CURRENCY) return unknownBecause(`it is quoted in ${read.data.currency}`);
  return { cost: read.data };
}

/** What there is now costs, if the preview says it: where that is something else than what the state says. */
export function costBefore({ inputs }: PreviewState): CostSide | undefined {
  const before = inputs?.["__costBefore"];
  return isRecord(before) ? costSide({ type: "", inputs: before }) : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function unknownBecause(reason: string): CostSide {
  return { cost: undefined, unpriced: { status: "unknown", reason } };
}
