import type { Quoter } from "../../cost/quoter";
import type { RunNotes } from "../../cost/run-notes";
import type { Fields } from "../../definition/types";
import type { Finding, PlanContext, Props } from "../kind/kind";
import type { RunCosts } from "../pricing/run-costs";

/**
 * A resource without an object at the API. Its plan computes values that the state keeps from run to run. check
 * computes them, so a preview knows them. It costs nothing, and asks the API for the time at most.
 */
export interface LocalKind {
  /** The last part of the type token: `RotationSchedule`. */
  readonly type: string;
  readonly args: Fields;
  /** All inputs, of the program and of the plan. The outputs are the same. */
  readonly fields: readonly string[];
  /**
   * Outputs that belong to one run. If these say nothing (`isNone`) and the others are the same, the resource counts as
   * unchanged.
   */
  readonly ofOneRun?: { readonly fields: readonly string[]; isNone(inputs: Props): boolean };
  /** Normalizes the props, if a state may have another spelling of equal values. */
  oneSpelling?(props: Props): Props;
  plan(inputs: Props, context: LocalPlanContext): Promise<LocalPlan>;
}

/** The values that the plan of a local kind may use besides the inputs. */
export interface LocalPlanContext extends Pick<PlanContext, "previous" | "apiTime"> {
  /**
   * The costs of the other resources in this run. They are known if this resource depends on those, because their
   * checks came before.
   */
  readonly run: { readonly costs: RunCosts; readonly quoter: Quoter; readonly notes: RunNotes | undefined };
  readonly urn: string;
  readonly isPreview: boolean;
  /** The registrations of the program, for a kind that asks for them. */
  readonly registered: unknown;
}

export interface LocalPlan {
  readonly inputs: Props;
  /** The text on the row, for any change. */
  readonly line?: string | undefined;
  readonly findings: readonly Finding[];
}
