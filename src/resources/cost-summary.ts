import { randomUUID } from "node:crypto";
import * as pulumi from "../engine/pulumi-sdk";
import { list, object, text } from "../definition/field";
import { shownInput } from "../text/redaction";
import type { Field } from "../definition/types";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { countRegistrations, registrationsOfProgram } from "../program/registrations";
import { registerDynamic } from "../dynamic/dynamic-resource";
import type { Register } from "../program/resource";
import type * as KeptCostSummary from "./kept-cost-summary";
import type * as PlanCostSummary from "./plan-cost-summary";

/** Arguments of a CostSummary. */
export interface CostSummaryArgs {
  /**
   * The resources to count. Default: all resources of this package in the program, also those in components and
   * callbacks.
   */
  readonly resources?: readonly pulumi.CustomResource[];
  /** Limits on the cost. If the program exceeds one, the preview fails or warns: see `enforce`. */
  readonly budget?: pulumi.Input<CostBudgetArgs>;
}

/** A budget in dollars a month, as decimal strings such as `"1000"` or `"199.50"`. */
export interface CostBudgetArgs {
  /** The most that all counted resources may cost after the run. */
  readonly monthlyTotal?: pulumi.Input<string>;
  /** The most that one run may add to the total. */
  readonly monthlyIncrease?: pulumi.Input<string>;
  /** The most that each counted resource may cost after the run. */
  readonly perResource?: pulumi.Input<string>;
  /**
   * `allow`: an unknown cost is a warning. `fail`: it exceeds the budget. A resource without quotes does neither.
   * Default: `allow`.
   */
  readonly onUnknown?: pulumi.Input<"allow" | "fail">;
  /** `mandatory`: a preview that exceeds the budget fails. `advisory`: it warns. Default: `mandatory`. */
  readonly enforce?: pulumi.Input<"mandatory" | "advisory">;
}

/** The cost of a counted resource. */
export interface CountedCost {
  /** The URN of the resource. */
  readonly urn: string;
  /** US dollars a month, a decimal string. Absent if the cost is unknown. */
  readonly monthlyTotal?: string;
  /** Why there is no cost. */
  readonly unpriced?: {
    /** `notOffered` means that the API has no quotes for this kind. */
    readonly status: "unknown" | "notOffered";
    /** The reason, for an unknown cost. */
    readonly reason?: string;
  };
  /**
   * True if the object stays at the API when its resource leaves the program (`retainOnDelete`). Then the removal saves
   * nothing.
   */
  readonly retained?: true;
}

/**
 * Shows the monthly costs of a program's resources in one table, in preview and update: before, after and difference.
 *
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const cost = new cloudinfra.CostSummary("cost", {
 *   budget: { monthlyTotal: "1000", monthlyIncrease: "200", enforce: "advisory" },
 * });
 *
 * export const perMonth = cost.after;
 * ```
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const data = new cloudinfra.Volume("data", { size: 100, type: "abs" });
 *
 * // Counts these resources only.
 * const cost = new cloudinfra.CostSummary("cost", { resources: [data], budget: { monthlyTotal: "1000" } });
 *
 * export const perMonth = cost.after;
 * ```
 * @behaviour It counts the resources when the program waits for nothing else. The table is on its own row, and under
 * "Diagnostics" on a terminal.
 * @behaviour All outputs are known in preview. It has no object at the API.
 * @behaviour It remembers the cost of each resource in the state. If a resource leaves the program, its cost is a
 * saving.
 * @behaviour If the program exceeds the budget, the preview fails and names the largest contributors. An update without
 * a preview (`pulumi up --skip-preview`) only warns, because it is too late to prevent anything.
 * @behaviour If the API key may see billing (`usage: read`) and the run asked for a quote, a line shows the
 * organization's bill.
 * @remarks A counted resource cannot depend on the summary. The table names each resource that is registered too late.
 * @remarks In an inline program of Pulumi's Automation API, `resources` is required.
 * @remarks The first run with a summary knows no savings. See docs/limits.md.
 */
export class CostSummary extends pulumi.CustomResource {
  /** US dollars a month before this run, a decimal string. */
  declare readonly before: pulumi.Output<string>;
  /** US dollars a month after this run. */
  declare readonly after: pulumi.Output<string>;
  /** `after` minus `before`. */
  declare readonly delta: pulumi.Output<string>;
  /** True if a cost is unknown. `before` and `after` are then lower limits. */
  declare readonly atLeast: pulumi.Output<boolean>;
  /** The cost of each counted resource. */
  declare readonly resources: pulumi.Output<readonly CountedCost[]>;
  /** Always `USD`. */
  declare readonly currency: pulumi.Output<string>;

  /** Registers a resource with this front. */
  protected static readonly register: Register = registerDynamic;

  constructor(name: string, args: CostSummaryArgs = {}, options?: pulumi.CustomResourceOptions) {
    const { resources, ...inputs } = args;
    if (resources !== undefined) refuseOthers(name, resources);
    const mark = randomUUID();
    // A promise, because the engine gets the summary only after the count.
    const registered = resources ? { urns: resources.map(({ urn }) => urn), late: [] } : countRegistrations(name);
    const hidden = { __registered: registered, __run: mark };
    super(...new.target.register(costSummary, name, { ...inputs, ...hidden }, options).sent);
    // Not for a summary with given resources, which waits for these only.
    if (!resources) noteSummary(this, name);

    // If nothing changed, the engine answers with the outputs in the state, which may belong to an earlier run.
    const outputs = this as unknown as Record<"before" | "delta" | "__run", pulumi.Output<string>>;
    const isOfThisRun = outputs.__run.apply((run) => run === "" || run === mark);
    outputs.before = pulumi
      .all([isOfThisRun, outputs.before, this.after])
      .apply(([isFresh, before, after]) => (isFresh ? before : after));
    outputs.delta = pulumi.all([isOfThisRun, outputs.delta]).apply(([isFresh, delta]) => (isFresh ? delta : "0.00"));
  }
}

/**
 * Throws pulumi.RunError if `resources` is not a list of resources: it would count nothing, and no budget would be
 * exceeded.
 */
function refuseOthers(name: string, resources: unknown): void {
  const isNone = (each: unknown): boolean => !pulumi.CustomResource.isInstance(each);
  const other: unknown = Array.isArray(resources) ? resources.find(isNone) : resources;
  if (Array.isArray(resources) && !resources.some(isNone)) return;
  const given = pulumi.Resource.isInstance(other) ? "a resource alone" : shownInput(other);
  throw new pulumi.RunError(
    `CostSummary "${name}": resources must be a list of resources such as [link, data] (has ${given}). ` +
      "Without it, the summary counts every resource of the program.",
  );
}

/** Warns of a second summary that counts all resources, because the table would appear twice. */
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

const budgetFields = {
  ...{ monthlyTotal: text(), monthlyIncrease: text(), perResource: text() },
  ...{ onUnknown: text(), enforce: text() },
} satisfies { readonly [Name in keyof Required<CostBudgetArgs>]: Field };

/** The kind of cost summaries, for the lifecycle. */
export const costSummary: LocalKind = {
  type: "CostSummary",
  args: {
    resources: list(text(), { optional: true }),
    budget: object(budgetFields, { optional: true }),
  },
  fields: ["budget", "before", "after", "delta", "atLeast", "resources", "currency"],
  ofOneRun: { fields: ["before", "delta"], isNone: ({ delta }) => delta === "0.00" },
  // Loaded by the plugin only, so that a program loads no library for decimals. (Not with `import()`, which jest does
  // not support.)
  plan: (inputs, context) =>
    (require("./plan-cost-summary") as typeof PlanCostSummary).planCostSummary(inputs, context),
  oneSpelling: (props) => (require("./kept-cost-summary") as typeof KeptCostSummary).withNormalAmounts(props),
};
