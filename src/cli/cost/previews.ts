import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readRunNotes, REQUOTE_VARIABLE, RUN_NOTES_VARIABLE, type RunNote } from "../../cost/run-notes";
import { BUDGET_ADVICE } from "../../resources/cost-summary-budget";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import { readInput, withProgress, type CliIo } from "../io";
import { completeStackName, withClosestStacks, type StackName } from "../pulumi/run-pulumi";
import {
  parsePreview,
  runPreview,
  type Preview,
  type PreviewDiagnostic,
  type PreviewRequest,
  type PreviewRun,
} from "../pulumi/preview";
import { noProjectText, stackWords } from "../pulumi/stack";
import { TARGET_FLAG, type ReportOptions } from "./report-flags";
import { flagsOf } from "../../process/cli-process";
import { stripVTControlCharacters } from "node:util";
import { urnParts } from "../../engine/urn";
import { fileFault } from "../../text/file-fault";
import { printable } from "../../text/terminal-text";

export interface MadePreview {
  /** The preview in words: `the preview of the stack dev`. */
  readonly label: string;
  /** Undefined for a preview file. */
  readonly stack: StackName | undefined;
  /** Undefined if the preview failed before it began. */
  readonly preview: Preview | undefined;
  /** Pulumi's exit code. For a preview from a file, derived from its content. */
  readonly exitCode: number;
  readonly stderr: string;
  /** The plugin's notes. Undefined for a preview file. */
  readonly notes: readonly RunNote[] | undefined;
  /** True for the preview of a part of the resources. False for a preview file, which does not say it. */
  readonly isTargeted: boolean;
}

/** Makes the previews with Pulumi, or reads them, one after the other. Rejects with CommandFailure. */
export async function* previewsOf(
  options: Pick<ReportOptions, "stack" | "preview" | "pulumiFlags" | "destroy" | "requote">,
  io: CliIo,
): AsyncGenerator<MadePreview> {
  for (const file of options.preview) yield await readPreview(file, io);
  if (options.preview.length > 0) return;
  for (const stack of options.stack.length > 0 ? options.stack : [undefined])
    yield await makePreview(stack, options, io);
}

async function readPreview(file: string, io: CliIo): Promise<MadePreview> {
  const preview = parsePreview(await readInput(file, io));
  const exitCode = exitCodeOf(preview);
  const label = `the preview in ${file === "-" ? "standard input" : file}`;
  if (exitCode === exitCodes.fine && preview.steps.length === 0)
    throw new CommandFailure(
      `${label} does not name its stack, because it has no resource. Give the stack with --stack instead of --preview.`,
    );
  return { label, stack: undefined, preview, exitCode, stderr: "", notes: undefined, isTargeted: false };
}

/** The exit code that a preview from a file implies. Only its text shows that a budget has stopped it. */
function exitCodeOf(preview: Preview): number {
  if (errorsIn(preview).length === 0) return exitCodes.fine;
  const isOver = failedOnlyBy(preview, ({ message }) => message.includes(BUDGET_ADVICE));
  return isOver ? exitCodes.overBudget : exitCodes.error;
}

/** True if all errors of resources are of this kind, and there are any. */
function failedOnlyBy(preview: Preview, isIt: (error: PreviewDiagnostic) => boolean): boolean {
  const errors = errorsIn(preview).filter(({ urn }) => urn !== undefined);
  return errors.length > 0 && errors.every(isIt);
}

function errorsIn({ diagnostics }: Preview): readonly PreviewDiagnostic[] {
  return diagnostics.filter(({ severity }) => severity === "error");
}

const OTHER_FOLDER = "Name a folder that you may write to in TMPDIR.";

/** An empty file for the provider's notes, in a new folder. Throws CommandFailure. */
function makeNotesFile(): { readonly folder: string; readonly notesFile: string } {
  try {
    const folder = mkdtempSync(join(tmpdir(), "cloudinfra-cost-"));
    const notesFile = join(folder, "notes");
    writeFileSync(notesFile, "", { mode: 0o600 });
    return { folder, notesFile };
  } catch (error) {
    throw new CommandFailure(`The temporary folder ${tmpdir()} cannot be used: ${fileFault(error)}. ${OTHER_FOLDER}`);
  }
}

/** Throws CommandFailure if a note is missing: it may be the one of an exceeded budget. */
function completeNotes(file: string): readonly RunNote[] {
  const notes = readRunNotes(file);
  if (notes) return notes;
  throw new CommandFailure(
    `The provider could not write its notes for this report to ${tmpdir()}, and without them a budget or a ` +
      `permission could be missing. The disk may be full. ${OTHER_FOLDER}`,
  );
}

async function makePreview(
  stack: string | undefined,
  { destroy, requote, pulumiFlags: flags }: ReportOptions,
  io: CliIo,
): Promise<MadePreview> {
  const { folder, notesFile } = makeNotesFile();
  const request = {
    stack,
    isDestroy: destroy === true,
    flags,
    environment: { [RUN_NOTES_VARIABLE]: notesFile, ...(requote && { [REQUOTE_VARIABLE]: "true" }) },
  };
  const isTargeted = [...flags, ...flagsOf(io.environment)].some((flag) => TARGET_FLAG.test(flag));
  const of = `${destroy ? "the destruction of " : ""}${stackWords(stack)}`;
  try {
    const [run, name] = await withProgress(`previewing ${of}…`, io, () =>
      Promise.all([completePreview(request, { notesFile, isTargeted }, io), completeStackName(stack, io)]),
    );
    const preview = documentOf(run);
    if (preview === undefined && NO_PROJECT.test(run.stderr))
      throw new CommandFailure(noProjectText(io.cwd, "name it with --cwd"));
    return {
      label: `the preview of ${of}`,
      stack: name,
      preview,
      exitCode: run.exitCode,
      stderr: await withClosestStacks(run.stderr.trimEnd(), stack, io),
      notes: completeNotes(notesFile),
      isTargeted,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Runs a preview. If a budget of the program stops it, the deletions are missing. So it runs again without the cost
 * summaries of these budgets, whose findings are in the notes.
 */
async function completePreview(
  request: PreviewRequest,
  { notesFile, isTargeted }: { readonly notesFile: string; readonly isTargeted: boolean },
  io: CliIo,
): Promise<PreviewRun> {
  const excluded: string[] = [];
  for (;;) {
    const flags = [...request.flags, ...excluded.flatMap((urn) => ["--exclude", urn])];
    const run = await runPreview({ ...request, flags }, io);
    const more = budgetUrns(completeNotes(notesFile)).filter((urn) => !excluded.includes(urn));
    // Not with targets, because Pulumi accepts either targets or exclusions.
    if (run.exitCode === exitCodes.fine || more.length === 0 || isTargeted) return run;
    excluded.push(...more);
  }
}

function documentOf({ stdout, exitCode }: PreviewRun): Preview | undefined {
  try {
    return parsePreview({ text: stdout, source: "The output of pulumi" });
  } catch (error) {
    // If pulumi fails before the preview begins, it prints no document.
    if (exitCode !== exitCodes.fine && error instanceof CommandFailure) return undefined;
    throw error;
  }
}

/** The cost summaries that exceed a mandatory budget. */
function budgetUrns(notes: readonly RunNote[]): readonly string[] {
  const urns = notes.flatMap((note) =>
    note.note === "overBudget" && note.breaches.some(({ enforce }) => enforce === "mandatory") ? [note.urn] : [],
  );
  return [...new Set(urns)];
}

/** The preview, if it is good for a report. Otherwise throws CommandFailure with Pulumi's message and exit code. */
export function checkedPreview(made: MadePreview): Preview {
  const { preview, exitCode, notes = [] } = made;
  const budgets = budgetUrns(notes);
  if (preview && (exitCode === exitCodes.fine || failedOnlyBy(preview, ({ urn = "" }) => budgets.includes(urn))))
    return preview;
  throw new CommandFailure(wordsOf(made), { exitCode });
}

function wordsOf({ label, stderr, exitCode, preview }: MadePreview): string {
  const errors = preview ? errorsIn(preview) : [];
  const messages = (errors.length > 0 ? errors.map(errorText) : [forTerminal(stderr)]).filter((text) => text !== "");
  if (messages.length === 0) return `${label} failed: pulumi ended with exit code ${exitCode}, and gave no reason.`;
  const next = exitCode === exitCodes.overBudget ? [WITHOUT_REPORT] : [];
  return [`${label} failed:`, ...messages, ...next].join("\n");
}

const NO_PROJECT = /no Pulumi\.yaml project file found/;

const WITHOUT_REPORT =
  "There is no report, because Pulumi stopped before the deletions. For one, run `cloudinfra cost` without --preview.";

/** The message in Pulumi's form, below the resource's name. */
function errorText({ urn, message }: PreviewDiagnostic): string {
  if (urn === undefined) return forTerminal(message);
  const { type, name } = urnParts(urn);
  return `${printable(`${type} ${name}`)}:\n${forTerminal(message).replace(/^/gm, "  ")}`;
}

function forTerminal(text: string): string {
  return stripVTControlCharacters(text).trimEnd().split("\n").map(printable).join("\n");
}
