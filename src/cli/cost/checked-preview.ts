import { stripVTControlCharacters } from "node:util";
import { urnParts } from "../../engine/urn";
import { printable } from "../../text/terminal-text";
import type { RunNote } from "../../cost/run-notes";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { Preview, PreviewDiagnostic } from "../pulumi/preview-json";
import { budgetUrns, type MadePreview } from "./previews";

/** The preview, if it gives a report. Otherwise throws CommandFailure with Pulumi's own words and exit code. */
export function checkedPreview(made: MadePreview): Preview {
  const { preview, exitCode, notes } = made;
  if (preview && (exitCode === exitCodes.fine || failedByBudgets(preview, notes ?? []))) return preview;
  throw new CommandFailure(wordsOf(made), { exitCode });
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
  if (said.length === 0) return `${what} failed: pulumi ended with exit code ${exitCode}, and gave no reason.`;
  return [`${what} failed:`, ...said].join("\n");
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
