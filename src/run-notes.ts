import { appendFileSync, readFileSync } from "node:fs";
import type { Bill } from "./cost/cost";
import type { BreachJson } from "./cost/json-shape";

/** The environment variable that names the file of notes. */
export const RUN_NOTES_VARIABLE = "CLOUDINFRA_RUN_NOTES";

/** The environment variable that, at `true`, has every resource quoted anew in a preview, the unchanged ones too. */
export const REQUOTE_VARIABLE = "CLOUDINFRA_REQUOTE";

/**
 * What the plugin tells `cloudinfra cost` about a preview beside Pulumi's own JSON: that has no place for it, and texts
 * are for people. One JSON object a line. The file is only written to: what a run comes to never depends on it.
 */
export type RunNote =
  /** The cost summary of this URN is over its budget. If that is mandatory, the preview fails. */
  | { readonly note: "overBudget"; readonly urn: string; readonly breaches: readonly BreachJson[] }
  /** What the organization pays now. */
  | { readonly note: "organization"; readonly bill: Bill };

/** Takes notes. */
export interface RunNotes {
  /** Best effort: a preview does not fail for a note. */
  add(note: RunNote): void;
}

/** Where notes go, if somebody has asked for them. */
export function runNotes(environment: Readonly<Record<string, string | undefined>>): RunNotes | undefined {
  const file = environment[RUN_NOTES_VARIABLE];
  if (file === undefined || file === "") return undefined;
  return {
    add: (note) => {
      try {
        appendFileSync(file, `${JSON.stringify(note)}\n`, { mode: 0o600 });
      } catch {
        // The report lacks a line, and says nothing wrong.
      }
    },
  };
}

/** The notes in a file; none where there is no such file. */
export function readRunNotes(file: string): readonly RunNote[] {
  try {
    // A preview that is made twice notes the same twice.
    const lines = new Set(readFileSync(file, "utf8").split("\n"));
    lines.delete("");
    return [...lines].map((line) => JSON.parse(line) as RunNote);
  } catch {
    return [];
  }
}
