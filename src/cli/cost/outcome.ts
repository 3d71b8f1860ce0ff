import { stripVTControlCharacters } from "node:util";
import { partsOf } from "../../cost/resource-cost";
import { printable } from "../../terminal-text";
import { exitCodes } from "../exit-codes";
import type { Preview, PreviewDiagnostic } from "../pulumi/preview-json";
import type { MadePreview } from "./previews";

/** Whether there is something to report of a preview. */
export type Outcome =
  | {
      readonly status: "made";
      readonly preview: Preview;
      /** What budgets inside the program say against it. */
      readonly overBudget: readonly string[];
      /** Whether a budget ended it: what is deleted comes last, and is not in it. */
      readonly isCutShort: boolean;
    }
  /** `words` are for stderr: Pulumi's own, mostly. */
  | { readonly status: "failed"; readonly exitCode: number; readonly words: string };

/** A preview that nothing but a budget has failed is reported all the same; any other failure is Pulumi's to explain. */
export function outcomeOf(made: MadePreview): Outcome {
  const { preview, exitCode, notes } = made;
  const budgets = notes.flatMap((note) => (note.note === "overBudget" ? [note] : []));
  const overBudget = budgets.flatMap(({ reasons }) => reasons);
  if (preview && exitCode === exitCodes.fine) return { status: "made", preview, overBudget, isCutShort: false };
  const errors = preview?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  const isByBudget = errors.every(({ urn }) => budgets.some((budget) => budget.urn === urn));
  if (preview && budgets.length > 0 && isByBudget) return { status: "made", preview, overBudget, isCutShort: true };
  return { status: "failed", exitCode, words: wordsOf(made, errors) };
}

function wordsOf({ what, stderr, exitCode }: MadePreview, errors: readonly PreviewDiagnostic[]): string {
  const said = (errors.length > 0 ? errors.map(errorText) : [forTerminal(stderr)]).filter((text) => text !== "");
  if (said.length === 0) return `error: ${what} failed: pulumi ended with exit code ${exitCode}, and gave no reason.\n`;
  return `${[`error: ${what} failed:`, ...said].join("\n")}\n`;
}

/** As Pulumi lists what it has to say: beneath the resource's name. */
function errorText({ urn, message }: PreviewDiagnostic): string {
  if (urn === undefined) return forTerminal(message);
  const { type, name } = partsOf(urn);
  return `${printable(`${type} ${name}`)}:\n${forTerminal(message).replace(/^/gm, "  ")}`;
}

function forTerminal(text: string): string {
  return stripVTControlCharacters(text).trimEnd().split("\n").map(printable).join("\n");
}
