import { combinedReport, costReport, organizationNow, type CostReport, type OrganizationNow } from "../../cost/report";
import { resourceCost, type ResourceChange, type ResourceCost } from "../../cost/resource-cost";
import type { RunNote } from "../../cost/run-notes";
import type { Preview, PreviewStep } from "../pulumi/preview";
import { changesOf } from "./preview-changes";
import { urnParts, typeOfToken } from "../../engine/urn";
import { overBudget } from "../../cost/budget";
import type { BudgetBreach } from "../../cost/cost-document";
import { budgetOf } from "../../resources/cost-budget";
import type { ReportOptions } from "./report-flags";

interface PreviewContext {
  /** The stack's name, for a preview without resources. */
  readonly stack: string;
  readonly isTargeted: boolean;
  /** Undefined for a preview that was read from a file. */
  readonly notes: readonly RunNote[] | undefined;
}

export function previewReport(preview: Preview, context: PreviewContext): CostReport {
  // Every step of a preview is of one stack.
  const [first] = preview.steps;
  const { stack, project } = first ? urnParts(first.urn) : { stack: context.stack, project: "" };
  const { changes, isPartial } = changesOf(preview.steps);
  const resources = withPairs(changes, context.notes ?? []).map(resourceCost);
  const report = costReport({
    stack,
    project,
    resources,
    isPartial: isPartial || context.isTargeted,
    organization: organizationOf(context.notes ?? [], resources),
    remarks: missingNote(preview),
  });
  return { ...report, overBudget: programBreaches(preview.steps, report, context.notes) };
}

/** Adds the costs that the inputs of the preview could not have. */
function withPairs(changes: readonly ResourceChange[], notes: readonly RunNote[]): readonly ResourceChange[] {
  const pairs = new Map(
    notes.flatMap((note) => (note.note === "pair" ? [[note.urn, { before: note.before, after: note.after }]] : [])),
  );
  return changes.map((change) => ({ ...change, ...(change.operation === "update" && pairs.get(change.urn)) }));
}

/** A remark on unchanged resources, which Pulumi counts, but leaves out without --show-sames. */
function missingNote({ steps, changeSummary }: Preview): readonly string[] {
  const missing = (changeSummary?.["same"] ?? 0) - steps.filter(({ op }) => op === "same").length;
  if (missing <= 0) return [];
  const words = missing === 1 ? "1 unchanged resource is" : `${missing} unchanged resources are`;
  return [`${words} not in the totals, because the preview was made without --show-sames`];
}

function organizationOf(notes: readonly RunNote[], resources: readonly ResourceCost[]): OrganizationNow | undefined {
  return notes
    .map((note) => (note.note === "organization" ? organizationNow(note.bill, note.provider, resources) : undefined))
    .find((found) => found !== undefined);
}

/** The exceeded budgets of a program, from the notes of its preview. For a preview from a file, they are computed from its steps. */
function programBreaches(
  steps: readonly PreviewStep[],
  report: CostReport,
  notes: readonly RunNote[] | undefined,
): readonly BudgetBreach[] {
  if (notes) return notes.flatMap((note) => (note.note === "overBudget" ? note.breaches : []));
  return steps.flatMap(({ urn, oldState, newState }) => {
    if (newState === undefined || typeOfToken(newState.type) !== "CostSummary") return [];
    const { budget } = budgetOf(newState.inputs?.["budget"]);
    if (budget === undefined) return [];
    const counted = new Set([newState, oldState].flatMap((state) => urnsOf(state?.inputs?.["resources"])));
    const resources = report.resources.filter((resource) => counted.has(resource.urn));
    const source = `CostSummary ${urnParts(urn).name}`;
    return overBudget(costReport({ ...report, resources }), budget, source, budget.enforce);
  });
}

/** The exceeded budgets of the flags, which are for all stacks together. */
export function flagBreaches(reports: readonly CostReport[], options: ReportOptions): readonly BudgetBreach[] {
  const all = combinedReport(reports);
  return [
    ...overBudget(all, { monthlyTotal: options.failOverTotal }, "--fail-over-total"),
    ...overBudget(all, { monthlyIncrease: options.failOverIncrease }, "--fail-over-increase"),
  ];
}

function urnsOf(resources: unknown): readonly string[] {
  if (!(resources instanceof Array)) return [];
  return resources.map((resource: { readonly urn?: unknown } | null) => String(resource?.urn));
}
