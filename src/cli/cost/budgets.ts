import { overBudget } from "../../cost/budget";
import type { BudgetBreach } from "../../cost/budget-breach";
import { breachOf } from "../../cost/json-report";
import { combinedReport, costReport, type CostReport } from "../../cost/report";
import { budgetOf } from "../../resources/cost-budget";
import type { RunNote } from "../../cost/run-notes";
import { typeOfToken } from "../../engine/type-tokens";
import { urnParts } from "../../engine/urn";
import type { PreviewStep } from "../pulumi/preview-json";
import type { ReportOptions } from "./report-flags";

/** The exceeded budgets of a program: from the notes of its preview, or from the steps of a preview that was read. */
export function programBreaches(
  steps: readonly PreviewStep[],
  report: CostReport,
  notes: readonly RunNote[] | undefined,
): readonly BudgetBreach[] {
  if (notes) return notes.flatMap((note) => (note.note === "overBudget" ? note.breaches.map(breachOf) : []));
  return steps.flatMap(({ urn, oldState, newState }) => {
    if (newState === undefined || typeOfToken(newState.type) !== "CostSummary") return [];
    const { budget } = budgetOf(newState.inputs?.["budget"]);
    if (budget === undefined) return [];
    const counted = new Set([newState, oldState].flatMap((state) => urnsOf(state?.inputs?.["resources"])));
    const resources = report.resources.filter((resource) => counted.has(resource.urn));
    const about = { source: `CostSummary ${urnParts(urn).name}`, isAdvisory: budget.enforce === "advisory" };
    return overBudget(costReport({ ...report, resources }), budget).map((breach) => ({ ...breach, ...about }));
  });
}

/** The exceeded budgets of the flags, which are for all stacks together. */
export function flagBreaches(reports: readonly CostReport[], options: ReportOptions): readonly BudgetBreach[] {
  const all = combinedReport(reports);
  return [
    ...withSource("--fail-over-total", overBudget(all, { monthlyTotal: options.failOverTotal })),
    ...withSource("--fail-over-increase", overBudget(all, { monthlyIncrease: options.failOverIncrease })),
  ];
}

function withSource(source: string, breaches: readonly BudgetBreach[]): readonly BudgetBreach[] {
  return breaches.map((breach) => ({ ...breach, source }));
}

function urnsOf(resources: unknown): readonly string[] {
  if (!(resources instanceof Array)) return [];
  return resources.map((resource: { readonly urn?: unknown } | null) => String(resource?.urn));
}
