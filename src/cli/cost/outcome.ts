import { stripVTControlCharacters } from "node:util";
import { urnParts } from "../../urn";
import { printable } from "../../terminal-text";
import type { RunNote } from "../../run-notes";
import { exitCodes } from "../exit-codes";
import type { Preview, PreviewDiagnostic } from "../pulumi/preview-json";
import { budgetUrns, type MadePreview } from "./previews";

/** Whether a preview gives a report. */
export type Outcome =
  | {
      readonly status: "made";
      readonly preview: Preview;
    }
  /** `words` are for stderr, mostly Pulumi's own. */
  | { readonly status: "failed"; readonly exitCode: number; readonly words: string };

/** Pulumi explains a failed preview. */
export function outcomeOf(made: MadePreview): Outcome {
  const { preview, exitCode, notes } = made;
  if (preview && (exitCode === exitCodes.fine || failedByBudgets(preview, notes ?? [])))
    return { status: "made", preview };
  return { status: "failed", exitCode, words: wordsOf(made) };
}

/** Whether only budgets of the program failed a preview. */
function failedByBudgets({ diagnostics }: Preview, notes: readonly RunNote[]): boolean {
  const budgets = budgetUrns(notes);
  const errors = diagnostics.filter(({ severity, urn }) => severity === "error" && urn !== undefined);
  return errors.length > 0 && errors.every(({ urn = "" }) => budgets.includes(urn));
}

function wordsOf({ what, stderr, exitCode, preview }: MadePreview): string {
  const errors = preview?.diagnostics.filter(({ severity }) => severity === "error") ?? [];
  const said = (errors.length > 0 ? errors.map(errorText) : [forTerminal(stderr)]).filter((text) => text !== "");
  if (said.length === 0) return `error: ${what} failed: pulumi ended with exit code ${exitCode}, and gave no reason.\n`;
  return `${[`error: ${what} failed:`, ...said].join("\n")}\n`;
}

/** In Pulumi's form: below the resource's name. */
function errorText({ urn, message }: PreviewDiagnostic): string {
  if (urn === undefined) return forTerminal(message);
  const { type, name } = urnParts(urn);
  return `${printable(`${type} ${name}`)}:\n${forTerminal(message).replace(/^/gm, "  ")}`;
}

function forTerminal(text: string): string {
  return stripVTControlCharacters(text).trimEnd().split("\n").map(printable).join("\n");
}
