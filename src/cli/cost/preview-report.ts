import { type ResourceChange, type CostOperation, resourceCost, type ResourceCost } from "../../cost/resource-cost";
import type { PreviewState, PreviewStep, Preview } from "../pulumi/preview";
import type { StackName } from "../pulumi/run-pulumi";
import { providerName, typeOfToken, urnParts } from "../../engine/urn";
import { z } from "zod";
import { amountText } from "../../api/schema";
import { isOfNothing, type Cost, type CostSide, type MissingQuote } from "../../cost/cost";
import { isRecord } from "../../definition/compare-values";
import { stateFromProps } from "../../state/kept-state";
import { combinedReport, costReport, organizationNow, type CostReport, type OrganizationNow } from "../../cost/report";
import type { RunNote } from "../../cost/run-notes";
import { overBudget } from "../../cost/budget";
import type { BudgetBreach } from "../../cost/cost-document";
import { budgetOf } from "../../resources/cost-summary-budget";
import type { ReportOptions } from "./report-flags";

/** Kinds that are in the state only, and cost nothing. (Importing the kinds would load Pulumi's SDK.) */
export const LOCAL_TYPES: readonly string[] = ["RotationSchedule", "CostSummary"];

/** Picks the resources of this package that the stack manages, with their operations. */
function changesOf(steps: readonly PreviewStep[]): readonly ResourceChange[] {
  // Refresh steps count only in the preview of a refresh. In any other preview, each object that still exists has
  // another step.
  const isRefreshOnly = steps.every(({ op }) => op === "refresh");
  return steps.filter((step) => isOurs(step) && (step.op !== "refresh" || isRefreshOnly)).flatMap(changesOfStep);
}

function isOurs({ oldState, newState }: PreviewStep): boolean {
  const { type: token = "", external, custom } = newState ?? oldState ?? {};
  const type = typeOfToken(token);
  return type !== undefined && !LOCAL_TYPES.includes(type) && custom !== false && external !== true;
}

/** True for a new resource of a kind that may cost something, if it is not targeted. */
function isSkippedCost(step: PreviewStep): boolean {
  return isSkipped(step) && !LOCAL_TYPES.includes(typeOfToken(step.newState?.type ?? "") ?? "");
}

/** True for a new resource that is not targeted. Pulumi shows it as unchanged, although it does not exist. */
function isSkipped({ op, newState }: PreviewStep): boolean {
  return op === "same" && newState?.custom === true && newState.id === undefined && newState.inputs === undefined;
}

function changesOfStep(step: PreviewStep): readonly ResourceChange[] {
  const { op, urn, oldState, newState } = step;
  const last = oldState && costInState(oldState);
  const now = newState && costBefore(newState);
  const before = now ?? last;
  const isGone = now !== undefined && isOfNothing(now);
  const after = newState && costSide(newState);
  const provider = providerName((newState ?? oldState)?.provider);
  const change = (operation: CostOperation, sides: Partial<ResourceChange> = {}): ResourceChange => ({
    urn,
    operation,
    before,
    after,
    lastQuoted: now && !isGone ? last?.cost : undefined,
    provider,
    ...sides,
  });
  const created = (): ResourceChange =>
    isAdopted(step)
      ? change("create", { before: now ?? after, lastQuoted: undefined, remains: "adopted" })
      : change("create", { before: undefined, lastQuoted: undefined });
  const deleted = (): ResourceChange =>
    isRetained(step)
      ? change("delete", { before: last, after: last, lastQuoted: undefined, remains: "retained" })
      : change("delete", { before: last, after: undefined, lastQuoted: undefined });
  switch (op) {
    case "create":
    case "import":
      return [created()];
    case "replace":
      // Two objects cost money if the old one stays, or if its replacement existed already.
      return !isGone && (isRetained(step) || isAdopted(step)) ? [created(), deleted()] : [change(op)];
    case "delete":
      return [deleted()];
    case "same":
      return isSkipped(step) ? [] : [change(op)];
    case "update":
      return [change(op)];
    case "refresh":
      return [newState ? change("same") : deleted()];
    default:
      // Single steps of a replacement, and resources that are only read.
      return [];
  }
}

/** True if the engine keeps the old object, or if the provider does, because an update had the option. */
function isRetained({ oldState }: PreviewStep): boolean {
  return oldState?.retainOnDelete === true || stateFromProps(oldState?.outputs ?? {}).memory.retainOnDelete;
}

function isAdopted({ op, newState }: PreviewStep): boolean {
  const adopt = newState?.inputs?.["adopt"];
  return op === "import" || (adopt !== undefined && adopt !== null);
}

const cost: z.ZodType<Cost> = z.object({
  currency: z.string(),
  monthlyTotal: amountText,
  usageDimensions: z.array(
    z.object({
      dimension: z.string(),
      displayName: z.string(),
      quantity: z.number(),
      unitPrice: amountText,
      monthlyAmount: amountText,
    }),
  ),
});

const unpriced: z.ZodType<MissingQuote> = z.union([
  z.object({ status: z.literal("notOffered"), billedFor: z.string().optional() }),
  z.object({ status: z.literal("unknown"), reason: z.string().default("the API gave no price") }),
]);

/** The quote in the inputs of a state. The outputs may have an earlier one. */
export function costSide({ inputs }: Pick<PreviewState, "inputs">): CostSide {
  const found = inputs?.["cost"];
  if (found === undefined || found === null) {
    return { cost: undefined, unpriced: unpriced.safeParse(inputs?.["__unpriced"]).data };
  }
  const read = cost.safeParse(found);
  // Not a quote, for example because the program makes it secret, so that Pulumi shows another text.
  if (!read.success) {
    const detail = /\d{41}/.test(JSON.stringify(found)) ? ": a number has more than 40 digits" : "";
    const reason = `its value in the preview is not a quote${detail}`;
    return { cost: undefined, unpriced: { status: "unknown", reason } };
  }
  return { cost: read.data };
}

/**
 * The cost of the object in the state. After a partly failed update, only the outputs have it, because the inputs are
 * those of the complete update.
 */
function costInState(state: PreviewState): CostSide {
  const shown = cost.safeParse(state.outputs?.["cost"]);
  return shown.success ? { cost: shown.data } : costSide(state);
}

/** The present cost, if the preview shows that it differs from the state. */
export function costBefore({ inputs }: PreviewState): CostSide | undefined {
  const before = inputs?.["__costBefore"];
  return isRecord(before) ? costSide({ inputs: before }) : undefined;
}

interface PreviewContext {
  /** The stack's organization, and its name for a preview without resources. Undefined for a preview from a file. */
  readonly stack: StackName | undefined;
  readonly isTargeted: boolean;
  /** Undefined for a preview that was read from a file. */
  readonly notes: readonly RunNote[] | undefined;
}

export function previewReport(preview: Preview, context: PreviewContext): CostReport {
  // Every step of a preview is of one stack.
  const [first] = preview.steps;
  const { stack, project } = first ? urnParts(first.urn) : (context.stack ?? { stack: "", project: "" });
  const resources = withPairs(changesOf(preview.steps), context.notes ?? []).map(resourceCost);
  const report = costReport({
    stack,
    project,
    pulumiOrganization: context.stack?.organization,
    resources,
    isPartial: context.isTargeted || preview.steps.some(isSkippedCost),
    organization: organizationOf(context.notes ?? [], resources),
    remarks: [...missingNote(preview), ...(context.notes ? [] : hiddenBudgets(preview))],
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

/** A remark on each budget in a preview file that is secret, or not known yet. */
function hiddenBudgets({ steps }: Preview): readonly string[] {
  const isHidden = ({ newState }: PreviewStep): boolean =>
    newState !== undefined && budgetIn(newState).findings.length > 0;
  return steps
    .filter(isHidden)
    .map(({ urn }) => `the budget of ${summaryName(urn)} was not checked, because the preview does not show it`);
}

/** The budget of a cost summary. Any other resource has none. */
function budgetIn({ type, inputs }: PreviewState): ReturnType<typeof budgetOf> {
  return budgetOf(typeOfToken(type) === "CostSummary" ? inputs?.["budget"] : undefined);
}

function summaryName(urn: string): string {
  return `CostSummary ${urnParts(urn).name}`;
}

function organizationOf(notes: readonly RunNote[], resources: readonly ResourceCost[]): OrganizationNow | undefined {
  return notes
    .map((note) => (note.note === "organization" ? organizationNow(note.bill, note.provider, resources) : undefined))
    .find((found) => found !== undefined);
}

/**
 * The exceeded budgets of a program, from the notes of its preview. For a preview from a file, they are computed from
 * its steps.
 */
function programBreaches(
  steps: readonly PreviewStep[],
  report: CostReport,
  notes: readonly RunNote[] | undefined,
): readonly BudgetBreach[] {
  if (notes) return notes.flatMap((note) => (note.note === "overBudget" ? note.breaches : []));
  return steps.flatMap(({ urn, oldState, newState }) => {
    const budget = newState && budgetIn(newState).budget;
    if (budget === undefined) return [];
    const counted = new Set([newState, oldState].flatMap((state) => urnsOf(state?.inputs?.["resources"])));
    const resources = report.resources.filter((resource) => counted.has(resource.urn));
    return overBudget(costReport({ ...report, resources }), budget, summaryName(urn), budget.enforce);
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
