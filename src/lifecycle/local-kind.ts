import type { Finding, PlanContext, Props } from "./kind";
import type { Run } from "./run";

/**
 * A resource without an object at the API: its plan computes values that are kept in the state from run to run. Check makes
 * them, so they are known in preview. It costs nothing, and nothing is ever asked of the API for it but the time.
 */
export interface LocalKind {
  /** The last part of the type token: `RotationSchedule`. */
  readonly type: string;
  /** Every input, given or made by the plan: these are the outputs as well. */
  readonly fields: readonly string[];
  /** Outputs that tell of one run only: a change of these alone is none, and is not shown. */
  readonly ofOneRun?: readonly string[];
  /** Completes and validates what is given. */
  plan(inputs: Props, context: LocalPlanContext): Promise<LocalPlan>;
}

/** What the plan of a local kind may look at besides the inputs. */
export interface LocalPlanContext extends Pick<PlanContext, "previous" | "serviceTime"> {
  /** What this run has seen of the other resources: their checks came before, where this one waits for them. */
  readonly run: Pick<Run, "memory" | "quoter" | "notes">;
  readonly urn: string;
  /** Whether this is a preview. */
  readonly isPreview: boolean;
  /** What the program has registered, for a kind that asks for it. */
  readonly registered: unknown;
}

/** What the plan of a local kind makes. */
export interface LocalPlan {
  readonly inputs: Props;
  /** What stands on the row, whatever the engine makes of the change. */
  readonly line?: string | undefined;
  readonly findings: readonly Finding[];
}
