import type { Quoter } from "../../cost/quoter";
import type { RunNotes } from "../../cost/run-notes";
import type { Fields } from "../../definition/types";
import type { Finding, PlanContext, Props } from "../kind/kind";
import type { RunCosts } from "../pricing/run-costs";

/**
 * A resource without an object at the API. Its plan computes values that the state keeps from run to run. check makes them, so
 * a preview knows them. It costs nothing, and asks the API only for the time.
 */
export interface LocalKind {
  /** The last part of the type token: `RotationSchedule`. */
  readonly type: string;
  readonly args: Fields;
  /** Every input, of the program or of the plan. They are the outputs too. */
  readonly fields: readonly string[];
  /** Outputs that belong to one run. A change of these only is not shown. */
  readonly ofOneRun?: readonly string[];
  /** The props in one spelling, if a state may have another of equal values. */
  oneSpelling?(props: Props): Props;
  plan(inputs: Props, context: LocalPlanContext): Promise<LocalPlan>;
}

/** The values that the plan of a local kind may use besides the inputs. */
export interface LocalPlanContext extends Pick<PlanContext, "previous" | "serviceTime"> {
  /** This run's costs of the other resources. Their checks came before, if this one waits for them. */
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
