import { styleText } from "node:util";
import { overBudget } from "../../cost/budget";
import { caveatsOf } from "../../cost/notes";
import { combinedReport, type CostReport } from "../../cost/report";
import type { Paint } from "../../cost/table";
import { printable } from "../../terminal-text";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { CliIo } from "../io";
import { isPlain } from "../terminal";
import { rendererOf } from "./formats";
import type { CostOptions, ReportOptions } from "./options";
import { outcomeOf } from "./outcome";
import { previewReport } from "./preview-report";
import { previewsOf } from "./previews";

/** The reports of all stacks. */
export interface MadeReports {
  readonly status: "made";
  readonly reports: readonly CostReport[];
  /** What budgets inside the programs say against them. */
  readonly overBudget: readonly string[];
}

/**
 * Prints what the changes of one or more stacks cost. `pulumiFlags` go to `pulumi preview` as they are. Resolves with the
 * exit code.
 */
export async function runCost(options: CostOptions, pulumiFlags: readonly string[], io: CliIo): Promise<number> {
  try {
    const made = await makeReports(options, pulumiFlags, io);
    if (made.status === "failed") return made.exitCode;
    io.stdout.write(rendererOf(options.format)(made.reports, renderOptions(options, io)));
    // The format is fixed, and has no place for sentences.
    if (options.format === "json") sayCaveats(made.reports, io);
    return verdict(made, options, io);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    io.stderr.write(`error: ${printable(error.message)}\n`);
    return exitCodes.error;
  }
}

/**
 * The reports of all stacks that are asked for; or the exit code of the first preview that failed, which has been told on
 * stderr. Rejects with CommandFailure.
 */
export async function makeReports(
  options: ReportOptions,
  pulumiFlags: readonly string[],
  io: CliIo,
): Promise<MadeReports | { readonly status: "failed"; readonly exitCode: number }> {
  const reports: CostReport[] = [];
  const overBudget: string[] = [];
  const isTargeted = options.target.length > 0 || pulumiFlags.some((flag) => TARGET_FLAG.test(flag));
  for await (const made of previewsOf(options, pulumiFlags, io)) {
    const outcome = outcomeOf(made);
    if (outcome.status === "failed") {
      io.stderr.write(outcome.words);
      return outcome;
    }
    const { stack = "", notes } = made;
    reports.push(previewReport(outcome.preview, { stack, notes, isTargeted }));
    overBudget.push(...outcome.overBudget);
  }
  return { status: "made", reports, overBudget };
}

/** Says on stderr what is over a budget: one of the programs', or one of the flags', which is for all stacks together. */
export function verdict({ reports, overBudget: reasons }: MadeReports, options: ReportOptions, io: CliIo): number {
  const flags = { monthlyTotal: options.failOverTotal, monthlyIncrease: options.failOverIncrease };
  const over = [...reasons, ...overBudget(combinedReport(reports), flags)];
  for (const reason of over) io.stderr.write(`over budget: ${printable(reason)}\n`);
  return over.length > 0 ? exitCodes.overBudget : exitCodes.fine;
}

/** Pulumi's own flags for previews of some of the resources. */
const TARGET_FLAG = /^(-t|--(target|target-replace|exclude)(=|$))/;

function renderOptions({ details, all }: CostOptions, io: CliIo): Parameters<ReturnType<typeof rendererOf>>[1] {
  return {
    details: details === true,
    limit: all ? Infinity : undefined,
    paint: isPlain(io) ? undefined : inColour,
  };
}

const inColour: Paint = (text, direction) =>
  styleText(direction === "up" ? "red" : "green", text, { validateStream: false });

function sayCaveats(reports: readonly CostReport[], { stderr }: CliIo): void {
  for (const caveat of reports.flatMap(caveatsOf)) stderr.write(`${caveat}\n`);
}
