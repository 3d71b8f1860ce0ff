import { overBudget } from "../cost/budget";
import { decimalText } from "../cost/money";
import { costReport, organizationNow, type CostReport } from "../cost/report";
import { resourceCost, type ResourceCost } from "../cost/resource-cost";
import type { CostSide } from "../cost/cost";
import { costTable } from "../cost/cost-table";
import { isRecord, textsIn } from "../definition/compare-values";
import { listed } from "../text/terminal-text";
import { shownInput } from "../text/redaction";
import { isUnknown } from "../engine/values";
import { failure, isFailure, warning, type Finding, type Props } from "../definition/rule-context";
import type { LocalPlan, LocalPlanContext } from "../lifecycle/local/local-kind";
import type { RunCosts } from "../lifecycle/pricing/run-costs";
import { BUDGET_ADVICE, budgetOf } from "./cost-summary-budget";
import { countedBefore, countedCost, type EarlierCost } from "./kept-cost-summary";
import { dynamicUrn, urnParts } from "../engine/urn";
import { runsReplacementOf, runsWithout } from "../process/cli-process";

/** The room for a line under "Diagnostics", which Pulumi indents, on a terminal of 80 columns. */
const DIAGNOSTICS_WIDTH = 76;

/** Adds up the costs that this run's checks have found, and enforces the budget. Sends no requests. */
export function planCostSummary(inputs: Props, context: LocalPlanContext): Promise<LocalPlan> {
  const counted = countedFindings(inputs, context);
  const wrong = [...counted, ...budgetOf(inputs["budget"]).findings].filter(isFailure);
  if (wrong.length > 0) return Promise.resolve({ inputs: {}, findings: wrong });
  const report = reportOf(inputs, context);
  return Promise.resolve({
    inputs: {
      before: decimalText(report.before),
      after: decimalText(report.after),
      delta: decimalText(report.delta),
      atLeast: report.atLeast,
      resources: report.resources
        .filter(({ operation }) => operation !== "delete")
        .sort(({ urn: one }, { urn: other }) => (one < other ? -1 : 1))
        .map((resource) => countedCost(resource, isRetained(resource.urn, context))),
      currency: "USD",
    },
    line: costTable(report, { width: DIAGNOSTICS_WIDTH }),
    findings: [...counted, ...budgetFindings(inputs["budget"], report, context)],
  });
}

function reportOf(inputs: Props, { previous, run, urn, registered }: LocalPlanContext): CostReport {
  const { urns, late } = registeredOf(registered ?? { urns: inputs["resources"] });
  const counted = countedBefore(previous);
  const { stack, project } = urnParts(urn);
  const named = new Set(urns.flatMap((each) => [each, run.costs.of(each)?.formerUrn ?? each]).map(dynamicUrn));
  const unnamed = [...counted.values()].filter(
    ({ urn: each }) =>
      !named.has(dynamicUrn(each)) && !late.includes(urnParts(each).name) && !run.costs.isMissing(each),
  );
  // The costs are known in this run, so these resources are still in the program.
  const isKnown = (each: string): boolean => run.costs.of(each) !== undefined;
  const leftOut = unnamed.map(({ urn: each }) => each).filter(isKnown);
  const removed = unnamed.filter(({ urn: each }) => !isKnown(each));
  const resources = [
    ...urns.flatMap((each) => costsInThisRun(each, run.costs, counted.get(dynamicUrn(each)))),
    ...removed.map((before) =>
      runsWithout(before.urn) ? unchangedCost(before.urn, before) : costOfRemoved(before.urn, before),
    ),
  ];
  // The engine has not presented these (--target, --exclude). An earlier run without the summary may have changed their
  // cost.
  const notPresented = resources.filter(
    ({ urn: each, operation, after }) => operation === "same" && !isKnown(each) && after?.isZero() === false,
  );
  return costReport({
    stack,
    project,
    resources,
    notCounted: late,
    remarks: [
      ...remarkOn(leftOut.map(urnParts), "no longer in resources, so not counted"),
      ...remarkOn(notPresented, "not part of this run, so counted as this summary last saw it"),
    ],
    organization: run.quoter.bill && organizationNow(run.quoter.bill, run.costs.provider, resources),
  });
}

/** The cost of a resource of the program, from its own check and diff in this run. */
function costsInThisRun(urn: string, costs: RunCosts, counted: EarlierCost | undefined): readonly ResourceCost[] {
  const recorded = costs.of(urn);
  if (recorded === undefined) {
    const side = counted ?? { cost: undefined, unpriced: { status: "unknown", reason: whyNotPresented(costs) } };
    return [unchangedCost(urn, side)];
  }
  const { operation, provider, pair, adopts } = recorded;
  // With a forced replacement, the engine shows the replaced resource as new.
  const hidden = operation === "create" && !adopts && runsReplacementOf(urn) ? counted : undefined;
  const replaced = recorded.replaced ?? hidden;
  const remains = adopts ? "adopted" : undefined;
  const isRetained = replaced !== undefined && (replaced.isRetained || counted?.isRetained === true);
  // Two objects cost money: the old one stays, or its replacement existed already.
  if (replaced && (isRetained || adopts)) {
    const before = adopts ? pair.before : undefined;
    const taken = { urn, operation: "create", provider, ...pair, before, lastQuoted: undefined, remains } as const;
    return [resourceCost(taken), costOfRemoved(urn, { ...replaced, isRetained }, provider)];
  }
  const asReplaced = hidden && ({ operation: "replace", before: hidden } as const);
  return [resourceCost({ urn, operation, provider, ...pair, remains, ...asReplaced })];
}

/** The cost of a resource that the engine has not presented in this run: it counts as unchanged since the last one. */
function unchangedCost(urn: string, side: CostSide): ResourceCost {
  return resourceCost({ urn, operation: "same", before: side, after: side });
}

/** Why the engine has not presented a resource in this run. */
function whyNotPresented(costs: RunCosts): string {
  const [unknown] = costs.unknownSettings();
  if (unknown === undefined) return "it is not part of this run";
  return `its provider's ${unknown === "apiKey" ? "key" : unknown} is not known yet`;
}

function remarkOn(resources: readonly Pick<ResourceCost, "type" | "name">[], text: string): readonly string[] {
  const names = resources.map(({ type, name }) => `${type} ${name}`);
  return names.length === 0 ? [] : [`${text}: ${listed(names, 5)}`];
}

/** The cost of a resource that has left the program. Its object costs nothing, unless it stays at the API. */
function costOfRemoved(urn: string, before: Omit<EarlierCost, "urn">, provider?: string): ResourceCost {
  const kept = before.isRetained ? ({ after: before, remains: "retained" } as const) : { after: undefined };
  return resourceCost({ urn, operation: "delete", provider, before, ...kept });
}

/**
 * True if the object stays at the API when its resource leaves the program. Its last options count if this run does not
 * have the resource.
 */
function isRetained(urn: string, { run: { costs }, previous }: LocalPlanContext): boolean {
  return costs.of(urn)?.isRetained ?? countedBefore(previous).get(dynamicUrn(urn))?.isRetained ?? false;
}

/**
 * Findings on `resources` of a program in another language, which must list URNs. A preview knows all URNs, so an
 * unknown value is not a URN.
 */
function countedFindings({ resources }: Props, { registered, previous, run }: LocalPlanContext): readonly Finding[] {
  if (registered !== undefined) return [];
  const counted = countedBefore(previous);
  const isSeen = (urn: string): boolean => {
    // The last run may have counted a wrong URN, as unknown.
    const { cost, unpriced } = counted.get(dynamicUrn(urn)) ?? {};
    if (cost !== undefined || unpriced?.status === "notOffered") return true;
    return run.costs.of(urn) !== undefined || run.costs.unknownSettings().length > 0;
  };
  if (!(resources instanceof Array)) {
    return [failure("resources", "is required: the URNs of the resources to count, such as [${web.urn}]")];
  }
  return resources.flatMap((urn: unknown, index): readonly Finding[] => {
    if (typeof urn === "string" && urnParts(urn).name !== "") return isSeen(urn) ? [] : [unseenFinding(urn, index)];
    const given = isUnknown(urn) ? "something that is not known yet, such as its id" : shownInput(urn);
    const reason = `must be the URN of a resource, such as web.urn for the resource web (is ${given})`;
    return [failure(`resources[${index}]`, reason)];
  });
}

/**
 * A finding on a URN of which this run knows no cost. The engine presents a resource before the summary only if the
 * program refers to it.
 */
function unseenFinding(urn: string, index: number): Finding {
  const { type, name } = urnParts(urn);
  const reason =
    `names no resource that this run has shown before the summary (is ${type} ${name}), so its cost is unknown. ` +
    "Correct it, or refer to the resource, such as web.urn for the resource web, instead of writing its URN";
  return warning(`resources[${index}]`, reason);
}

function budgetFindings(
  value: unknown,
  report: CostReport,
  { isPreview, urn, run }: LocalPlanContext,
): readonly Finding[] {
  const { budget, findings: wrong } = budgetOf(value);
  const findings = [...wrong];
  if (budget === undefined) return findings;
  const source = `CostSummary ${urnParts(urn).name}`;
  const over = overBudget(report, budget, source, budget.enforce);
  const unknown = overBudget(report, { ...budget, onUnknown: "fail" }).find(({ limit }) => limit === "onUnknown");
  if (unknown && budget.onUnknown !== "fail") {
    const reason = `${unknown.reason}, so the budget does not count it. Set onUnknown to "fail" to let the preview fail on it`;
    findings.push(warning("budget", reason));
  }
  if (over.length === 0) return findings;
  if (isPreview) run.notes?.add({ note: "overBudget", urn, breaches: over });
  // Only a preview can fail, because an update cannot prevent anything.
  const severity = budget.enforce !== "advisory" && isPreview ? "failure" : "warning";
  const reasons = over
    .map(({ limit, reason }) => (limit === "onUnknown" ? `${reason}, and onUnknown is "fail"` : reason))
    .join("; ");
  const reason = severity === "failure" ? `${reasons}. ${BUDGET_ADVICE}` : reasons;
  return [...findings, { severity, field: "budget", reason }];
}

function registeredOf(value: unknown): { readonly urns: readonly string[]; readonly late: readonly string[] } {
  const { urns, late } = isRecord(value) ? value : {};
  return { urns: [...new Set(textsIn(urns))], late: textsIn(late) };
}
