import { styleText } from "node:util";
import type { BudgetBreach } from "../../cost/budget-breach";
import { budgetNotes, caveatsOf } from "../../cost/notes";
import { stackLabels, type CostReport } from "../../cost/report";
import type { Paint } from "../../cost/cost-table";
import { printable } from "../../terminal-text";
import { CommandFailure } from "../command-failure";
import { exitCodes } from "../exit-codes";
import type { CliIo } from "../io";
import { isPlain } from "../terminal";
import { flagBreaches } from "./budgets";
import { rendererOf } from "./formats";
import { TARGET_FLAG, type CostOptions, type ReportOptions } from "./options";
import { pageOrigin } from "./origin";
import { outcomeOf } from "./outcome";
import { previewReport } from "./preview-report";
import { previewsOf } from "./previews";

/** The reports of all stacks. */
export interface MadeReports {
  readonly status: "made";
  readonly reports: readonly CostReport[];
  /** The exceeded budgets of all stacks together. Those of one stack are in its report. */
  readonly overBudget: readonly BudgetBreach[];
}

/**
 * Prints the cost of the changes of one or more stacks. Passes `pulumiFlags` to `pulumi preview`. Resolves with the exit code.
 */
export async function runCost(options: CostOptions, pulumiFlags: readonly string[], io: CliIo): Promise<number> {
  try {
    const made = await makeReports(options, pulumiFlags, io);
    if (made.status === "failed") return made.exitCode;
    const origin = options.format === "html" ? await pageOrigin(io) : undefined;
    const { overBudget } = made;
    io.stdout.write(rendererOf(options.format)(made.reports, { ...renderOptions(options, io), origin, overBudget }));
    // This version is frozen, and has no place for sentences.
    if (options.format === "json" && options.schemaVersion === "1") sayCaveats(made.reports, io);
    return verdict(made, io);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    io.stderr.write(`error: ${printable(error.message)}\n`);
    return exitCodes.error;
  }
}

/**
 * The reports of all stacks, or the exit code of the first failed preview, which stderr explains. Rejects with CommandFailure.
 */
export async function makeReports(
  options: ReportOptions,
  pulumiFlags: readonly string[],
  io: CliIo,
): Promise<MadeReports | { readonly status: "failed"; readonly exitCode: number }> {
  const reports: CostReport[] = [];
  const isTargeted = options.target.length > 0 || pulumiFlags.some((flag) => TARGET_FLAG.test(flag));
  for await (const made of previewsOf(options, pulumiFlags, io)) {
    const outcome = outcomeOf(made);
    if (outcome.status === "failed") {
      io.stderr.write(outcome.words);
      return outcome;
    }
    const { stack = "", notes } = made;
    reports.push(previewReport(outcome.preview, { stack, notes, isTargeted }));
  }
  const overBudget = flagBreaches(reports, options);
  const [only, ...others] = reports;
  if (only && others.length === 0)
    return { status: "made", reports: [{ ...only, overBudget: [...only.overBudget, ...overBudget] }], overBudget: [] };
  return { status: "made", reports, overBudget };
}

/** Prints exceeded budgets on stderr, with the names of their stacks. */
export function verdict({ reports, overBudget }: MadeReports, io: CliIo): number {
  const labels = stackLabels(reports);
  reports.forEach((report, index) => {
    for (const note of budgetNotes(report, labels[index])) io.stderr.write(`${note}\n`);
  });
  for (const note of budgetNotes({ overBudget }, "all stacks together")) io.stderr.write(`${note}\n`);
  const isOver = [...reports.flatMap((report) => report.overBudget), ...overBudget].some(
    (breach) => !breach.isAdvisory,
  );
  return isOver ? exitCodes.overBudget : exitCodes.fine;
}

function renderOptions(
  { details, all, ...options }: CostOptions,
  io: CliIo,
): Parameters<ReturnType<typeof rendererOf>>[1] {
  return {
    details: details === true,
    limit: all ? Infinity : undefined,
    paint: isPlain(io) ? undefined : inColour,
    width: io.stdout.columns,
    schemaVersion: options.schemaVersion,
  };
}

const inColour: Paint = (text, direction) =>
  styleText(direction === "up" ? "red" : "green", text, { validateStream: false });

function sayCaveats(reports: readonly CostReport[], { stderr }: CliIo): void {
  for (const caveat of reports.flatMap(caveatsOf)) stderr.write(`${caveat}\n`);
}
