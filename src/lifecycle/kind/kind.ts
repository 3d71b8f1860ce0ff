import type { Definition, Fields } from "../../definition/types";
import type { Finding, Plan, PlanContext, Props, RuleContext } from "../../definition/rules";
import type { ChangePolicies } from "./change-policy";

export type { Finding, Plan, PlanContext, Props, RuleContext };

/**
 * The kind of a resource: its definition, and what the lifecycle derives from it once (`kind-of.ts`). The functions of `src/definition`
 * take it as the definition that it is.
 */
export interface ResourceKind extends Definition {
  /** The arguments of a program, `adopt` too, and the inputs that only the plan makes. */
  readonly args: Fields;
  /** The effect of changing each field. */
  readonly policies: ChangePolicies;
  /** Outputs that only their own endpoint shows: `GET <object>/<at>`. */
  readonly subResources: readonly SubResourceOutput[];
  /** Secret outputs. Only the creation shows them. If its answer is lost, the object is made again. */
  readonly secretOutputs: readonly string[];
  /** Outputs of the API without an input. */
  readonly computed: readonly string[];
  /** The inputs that paths and lists need to find an object, such as a firewall rule's `vpcId`. */
  readonly pathFields: readonly string[];
}

/** An output that `GET <object>/<at>` shows, in this member. */
export interface SubResourceOutput {
  readonly name: string;
  readonly member: string;
  readonly at: string;
  readonly isSecret: boolean;
}
