import type { Finding, PlanContext, Plan, Props } from "./kind";

/**
 * A resource without an object at the API: its plan computes values that are kept in the state from run to run. Check makes
 * them, so they are known in preview. It costs nothing, and nothing is ever asked of the API for it but the time.
 */
export interface LocalKind {
  /** The last part of the type token: `RotationSchedule`. */
  readonly type: string;
  /** Every input, given or made by the plan: these are the outputs as well. */
  readonly fields: readonly string[];
  /** Completes and validates what is given. */
  plan(inputs: Props, context: LocalPlanContext): Promise<LocalPlan>;
}

/** What the plan of a local kind may look at besides the inputs. */
export type LocalPlanContext = Pick<PlanContext, "previous" | "serviceTime">;

/** What the plan of a local kind makes. Its reason stands on the row whatever the engine makes of the change. */
export interface LocalPlan extends Pick<Plan, "inputs" | "reason"> {
  readonly findings: readonly Finding[];
}
