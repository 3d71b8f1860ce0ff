import {
  costReport,
  organizationNow,
  type CostReport,
  type OrganizationNow,
  type ResourceCost,
} from "../../cost/report";
import { resourceCost, type ResourceChange } from "../../cost/resource-cost";
import type { RunNote } from "../../cost/run-notes";
import { programBreaches } from "./budgets";
import type { Preview } from "../pulumi/preview-json";
import { changesOf } from "./preview-changes";
import { urnParts } from "../../engine/urn";

/** The facts about a preview besides its document. */
export interface PreviewContext {
  /** The stack's name, for a preview without resources. */
  readonly stack: string;
  /** Whether the preview was asked for some resources only. */
  readonly isTargeted: boolean;
  /** Undefined if nobody took notes. */
  readonly notes: readonly RunNote[] | undefined;
}

/** The cost report of a preview. */
export function previewReport(preview: Preview, context: PreviewContext): CostReport {
  const { changes, isPartial } = changesOf(preview.steps);
  const resources = withPairs(changes, context.notes ?? []).map(resourceCost);
  const report = costReport({
    ...projectAndStack(preview, context.stack),
    resources,
    isPartial: isPartial || context.isTargeted,
    organization: organizationOf(context.notes ?? [], resources),
    remarks: missingNote(preview),
  });
  return { ...report, overBudget: programBreaches(preview.steps, report, context.notes) };
}

/** A pair that the preview's inputs could not have. */
function withPairs(changes: readonly ResourceChange[], notes: readonly RunNote[]): readonly ResourceChange[] {
  const pairs = new Map(
    notes.flatMap((note) => (note.note === "pair" ? [[note.urn, { before: note.before, after: note.after }]] : [])),
  );
  return changes.map((change) => ({ ...change, ...(change.operation === "update" && pairs.get(change.urn)) }));
}

/** From the URNs, because every step of a preview is of one stack. */
function projectAndStack({ steps: [first] }: Preview, stack: string): Pick<CostReport, "project" | "stack"> {
  if (!first) return { stack, project: "" };
  const parts = urnParts(first.urn);
  return { stack: parts.stack, project: parts.project };
}

/** Pulumi counts unchanged resources, but leaves them out unless it is asked for them. */
function missingNote({ steps, changeSummary }: Preview): readonly string[] {
  const missing = (changeSummary["same"] ?? 0) - steps.filter(({ op }) => op === "same").length;
  if (missing <= 0) return [];
  const what = missing === 1 ? "1 unchanged resource is" : `${missing} unchanged resources are`;
  return [`${what} not in this preview, and not in its totals: it was made without --show-sames`];
}

function organizationOf(notes: readonly RunNote[], resources: readonly ResourceCost[]): OrganizationNow | undefined {
  const [organization] = notes.flatMap((note) => {
    const found = note.note === "organization" ? organizationNow(note.bill, note.provider, resources) : undefined;
    return found ?? [];
  });
  return organization;
}
