import { z } from "zod";
import { decimal } from "../../api/schema";
import type { Cost, CostSide, Unpriced } from "../../cost/cost";
import { isRecord } from "../../definition/record";
import type { PreviewState } from "../pulumi/preview-json";

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
  z.object({ status: z.literal("notOffered"), billedFor: z.string().optional() }),
  z.object({ status: z.literal("unknown"), reason: z.string().default("the service gave no price") }),
]);

/** The cost in a state: the quote in its inputs or, in states without one, in its outputs. */
export function costSide({ inputs, outputs }: PreviewState): CostSide {
  const found = inputs?.["cost"] ?? outputs?.["cost"];
  if (found === undefined || found === null) {
    return { cost: undefined, unpriced: unpriced.safeParse(inputs?.["__unpriced"]).data };
  }
  const read = cost.safeParse(found);
  // If the program makes it a secret, Pulumi shows another text.
  if (!read.success) {
    const isTooLong = /\d{41}/.test(JSON.stringify(found));
    return unknownBecause(
      `its value in the preview is not a quote${isTooLong ? ": a number has more than 40 digits" : ""}`,
    );
  }
  return { cost: read.data };
}

/**
 * The cost of the object that the state has. After an update that was made in part, only the outputs have it: the inputs are those of the
 * whole update.
 */
export function costInState(state: PreviewState): CostSide {
  const shown = cost.safeParse(state.outputs?.["cost"]);
  return shown.success ? { cost: shown.data } : costSide(state);
}

/** The present cost, if the preview shows that it differs from the state. */
export function costBefore({ inputs }: PreviewState): CostSide | undefined {
  const before = inputs?.["__costBefore"];
  return isRecord(before) ? costSide({ type: "", inputs: before }) : undefined;
}

function unknownBecause(reason: string): CostSide {
  return { cost: undefined, unpriced: { status: "unknown", reason } };
}
