import { z } from "zod";
import type { Budget } from "../cost/budget";
import { decimal } from "../cost/money";
import { shownInput } from "../text/redaction";
import { containsUnknown } from "../engine/values";
import { failure, warning, type Finding } from "../definition/rule-context";

/**
 * A budget. `enforce`: if it is `advisory`, an exceeded budget is only a warning. Default: `mandatory`, which fails the
 * preview.
 */
interface EnforcedBudget extends Budget {
  readonly enforce?: "mandatory" | "advisory" | undefined;
}

/**
 * The end of the error of an exceeded budget. By this text, `cloudinfra cost` recognizes that only a budget has stopped
 * a preview.
 */
export const BUDGET_ADVICE = "Change the program, or raise the budget";

const dollars = z
  .string({
    error: ({ input }) =>
      `must be an amount in dollars as a string, such as "1000" or "199.50" (is ${typeof input === "number" ? "the number " : ""}${shownInput(input)})`,
  })
  .regex(/^\d+(\.\d+)?$/, {
    error: ({ input }) => `must be an amount in dollars such as "1000" or "199.50" (is ${shownInput(input)})`,
  })
  .transform(decimal)
  .optional();

const schema = z.object(
  {
    monthlyTotal: dollars,
    monthlyIncrease: dollars,
    perResource: dollars,
    onUnknown: z
      .enum(["allow", "fail"], { error: ({ input }) => `must be one of allow, fail (is ${shownInput(input)})` })
      .optional(),
    enforce: z
      .enum(["mandatory", "advisory"], {
        error: ({ input }) => `must be one of mandatory, advisory (is ${shownInput(input)})`,
      })
      .optional(),
  },
  { error: "must be an object" },
);

/** Reads the budget of the program. Undefined if there is none, or if its values are unknown. */
export function budgetOf(value: unknown): {
  readonly budget: EnforcedBudget | undefined;
  readonly findings: readonly Finding[];
} {
  if (value === undefined) return { budget: undefined, findings: [] };
  if (containsUnknown(value)) {
    const reason = "is unknown before the update, so this preview does not enforce it";
    return { budget: undefined, findings: [warning("budget", reason)] };
  }
  const { data, error } = schema.safeParse(value);
  const findings = error?.issues.map(({ path, message }) => failure(["budget", ...path].join("."), message));
  return { budget: data, findings: findings ?? [] };
}
