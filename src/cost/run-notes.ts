import { appendFileSync, closeSync, constants, openSync, readFileSync, rmSync } from "node:fs";
import type { Bill, CostSide } from "./cost";
import type { BudgetBreach } from "./cost-document";

export const RUN_NOTES_VARIABLE = "CLOUDINFRA_RUN_NOTES";

/**
 * If this environment variable is `true`, a preview asks for quotes of all resources again, including unchanged ones.
 */
export const REQUOTE_VARIABLE = "CLOUDINFRA_REQUOTE";

/**
 * The provider's notes on a preview for `cloudinfra cost` and `cloudinfra permissions`, which Pulumi's own JSON cannot
 * carry. The command makes the file, and each note is one line of JSON. The provider never reads the file, so no result
 * of a run depends on it.
 */
export type RunNote =
  /** The cost summary of this URN exceeds its budget. If the budget is mandatory, the preview fails. */
  | { readonly note: "overBudget"; readonly urn: string; readonly breaches: readonly BudgetBreach[] }
  /**
   * The cost of the resource of this URN before and after a change in place. Only the quote for the change has it, not
   * the inputs of the resource.
   */
  | { readonly note: "pair"; readonly urn: string; readonly before: CostSide | undefined; readonly after: CostSide }
  /** A function of the program asks for this path, by this explicit provider. */
  | { readonly note: "lookup"; readonly name: string; readonly path: string; readonly provider?: string | undefined }
  /** The organization's bill before any change, as this provider's key sees it. */
  | { readonly note: "organization"; readonly bill: Bill; readonly provider: string };

export interface RunNotes {
  /** Writes a note. If that fails, the preview goes on, and `readRunNotes` finds that notes are missing. */
  add(note: RunNote): void;
}

/** The writer of notes. Undefined unless the environment names a file for them. */
export function runNotes(environment: Readonly<Record<string, string | undefined>>): RunNotes | undefined {
  const file = environment[RUN_NOTES_VARIABLE];
  if (!file) return undefined;
  return {
    add: (note) => {
      try {
        append(file, `${JSON.stringify(note)}\n`);
      } catch {
        // Without the file, the command knows that notes are missing. Its removal needs no space on the disk.
        rmSync(file, { force: true });
      }
    },
  };
}

/** Does not make a file, because another process may have removed it. */
function append(file: string, line: string): void {
  const opened = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    appendFileSync(opened, line);
  } finally {
    closeSync(opened);
  }
}

/** Reads the notes in a file. Undefined if a note could not be written. */
export function readRunNotes(file: string): readonly RunNote[] | undefined {
  try {
    // Without repeated lines, because a repeated preview writes the same notes again.
    const lines = new Set(readFileSync(file, "utf8").split("\n"));
    lines.delete("");
    return [...lines].map((line) => JSON.parse(line) as RunNote);
  } catch {
    return undefined;
  }
}
