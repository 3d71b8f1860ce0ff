import { randomUUID } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import type { LocalKind } from "../lifecycle/local-kind";
import { countRegistrations, registrationsOfProgram } from "../dynamic/registrations";
import { CloudResource } from "../dynamic/resource";
import type * as PlanCostSummary from "./plan-cost-summary";

/** Arguments of a CostSummary. */
export interface CostSummaryArgs {
  /**
   * The resources to count. Default: every resource of this package in the program, in components too, wherever in the
   * program the summary stands. Required in an inline program of Pulumi's Automation API.
   */
  readonly resources?: readonly pulumi.CustomResource[];
  /** What the resources may cost: held in preview, before anything is touched. */
  readonly budget?: pulumi.Input<CostBudgetArgs>;
}

/** A budget in dollars a month, as decimal strings such as `"1000"` or `"199.50"`. */
export interface CostBudgetArgs {
  /** For all counted resources together. */
  readonly monthlyTotal?: pulumi.Input<string>;
  /** For what one run adds to the total. */
  readonly monthlyIncrease?: pulumi.Input<string>;
  /** For each counted resource. */
  readonly perResource?: pulumi.Input<string>;
  /** Whether a resource whose cost is not known is over the budget: `fail`; default `allow`. One without a quote on offer is not. */
  readonly onUnknown?: pulumi.Input<"allow" | "fail">;
  /** `mandatory` (default): over it, preview fails. `advisory`: it warns. An update without a preview warns in both cases. */
  readonly enforce?: pulumi.Input<"mandatory" | "advisory">;
}

/** What a counted resource cost when it was last counted. */
export interface CountedCost {
  readonly urn: string;
  /** US dollars, a decimal string; absent where it is not known. */
  readonly monthlyTotal?: string;
  /** Why it is not known. */
  readonly unpriced?: { readonly status: "unknown" | "notOffered"; readonly reason?: string };
  /** Whether the object stays at the service when its resource leaves the program (`retainOnDelete`): then nothing is saved. */
  readonly retained?: true;
}

/**
 * The costs of a program's resources in one table, in preview and update: before, after and difference. It is in the state
 * only, where it remembers what each resource cost, so that one that leaves the program counts as a saving. All outputs are
 * known in preview. A resource with a cost cannot depend on it.
 */
export class CostSummary extends CloudResource {
  /** US dollars a month before this run, a decimal string. */
  declare readonly before: pulumi.Output<string>;
  /** US dollars a month after this run. */
  declare readonly after: pulumi.Output<string>;
  /** `after` minus `before`. */
  declare readonly delta: pulumi.Output<string>;
  /** Whether some cost is not known, so that `before` and `after` are the least it can be. */
  declare readonly atLeast: pulumi.Output<boolean>;
  /** What is counted, by URN. */
  declare readonly resources: pulumi.Output<readonly CountedCost[]>;
  /** ISO 4217; always `USD`. */
  declare readonly currency: pulumi.Output<string>;

  constructor(name: string, args: CostSummaryArgs = {}, options?: pulumi.CustomResourceOptions) {
    const { resources, ...inputs } = args;
    const mark = randomUUID();
    const registered = resources ? { urns: resources.map(({ urn }) => urn), late: [] } : countRegistrations(name); // a promise: the engine gets to know of the summary when it has counted
    const hidden = { __registered: registered, __run: mark };
    super(costSummary, name, { ...inputs, ...hidden }, options);
    // One with given resources waits for these alone.
    if (!resources) noteSummary(this, name);

    // Where nothing changed the engine answers with what stands in the state: that tells of the run that wrote it.
    const outputs = this as unknown as Record<"before" | "delta" | "__run", pulumi.Output<string>>;
    const isOfThisRun = outputs.__run.apply((run) => run === "" || run === mark);
    outputs.before = pulumi
      .all([isOfThisRun, outputs.before, this.after])
      .apply(([isFresh, before, after]) => (isFresh ? before : after));
    outputs.delta = pulumi.all([isOfThisRun, outputs.delta]).apply(([isFresh, delta]) => (isFresh ? delta : "0"));
  }
}

/** Two that count everything show the same table twice. */
function noteSummary(summary: CostSummary, name: string): void {
  const { summaries } = registrationsOfProgram();
  const [other] = summaries.values();
  summaries.set(summary, name);
  if (other === undefined) return;
  const text =
    `counts the same as the cost summary "${other}": each counts every resource of the program. ` +
    `Keep one, or give each the "resources" it should count`;
  void pulumi.log.warn(text, summary);
}

/** What the lifecycle has to know about cost summaries. */
export const costSummary: LocalKind = {
  type: "CostSummary",
  fields: ["budget", "before", "after", "delta", "atLeast", "resources", "currency"],
  ofOneRun: ["before", "delta"],
  plan: (inputs, context) => {
    // Only the plugin plans: a program loads no decimals. (A native import() is of no use to jest.)
    // eslint-disable-next-line @typescript-eslint/no-require-imports
    const { planCostSummary } = require("./plan-cost-summary") as typeof PlanCostSummary;
    return planCostSummary(inputs, context);
  },
};
