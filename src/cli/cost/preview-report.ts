import { costReport, organizationNow, type CostReport, type OrganizationNow } from "../../cost/report";
import { resourceCost } from "../../cost/resource-cost";
import type { RunNote } from "../../run-notes";
import { programBreaches } from "./budgets";
import type { Preview } from "../pulumi/preview-json";
import { changesOf } from "./changes";
import { urnParts } from "../../urn";

/** What is known of a preview beside its document. */
export interface PreviewContext {
  /** The stack's name where the preview names none, as it has no resources. */
  readonly stack: string;
  /** Whether it was asked for some of the resources only. */
  readonly isTargeted: boolean;
  /** Undefined if there was nobody to take notes. */
  readonly notes: readonly RunNote[] | undefined;
}

/** The cost report of a preview. */
export function previewReport(preview: Preview, context: PreviewContext): CostReport {
  const { changes, isPartial } = changesOf(preview.steps);
  const report = costReport({
    ...placeOf(preview, context.stack),
    resources: changes.map(resourceCost),
    isPartial: isPartial || context.isTargeted,
    organization: organizationOf(context.notes ?? []),
    remarks: missingNote(preview),
  });
  return { ...report, overBudget: programBreaches(preview.steps, report, context.notes) };
}

/** By the URNs: every step of a preview is of one stack. */
function placeOf({ steps: [first] }: Preview, stack: string): Pick<CostReport, "project" | "stack"> {
  if (!first) return { stack, project: "" };
  const parts = urnParts(first.urn);
  return { stack: parts.stack, project: parts.project };
}

/** Pulumi counts what stays the same, and leaves it out where it was not asked for it. */
function missingNote({ steps, changeSummary }: Preview): readonly string[] {
  const missing = (changeSummary["same"] ?? 0) - steps.filter(({ op }) => op === "same").length;
  if (missing <= 0) return [];
  const what = missing === 1 ? "1 unchanged resource is" : `${missing} unchanged resources are`;
  return [`${what} not in this preview, and not in its totals: it was made without --show-sames`];
}

function organizationOf(notes: readonly RunNote[]): OrganizationNow | undefined {
  const [bill] = notes.flatMap((note) => (note.note === "organization" ? [note.bill] : []));
  return bill && organizationNow(bill);
}
