import { promisify, styleText } from "node:util";
import type { BudgetBreach } from "../../cost/budget-breach";
import { budgetNotes } from "../../cost/notes";
import { stackLabels, type CostReport } from "../../cost/report";
import type { PageOrigin, Paint, RenderOptions } from "../../cost/renderer";
import { unapproved } from "../../cost/approval";
import { costDocument, type CostDocument } from "../../cost/json-shape";
import { CommandFailure, exitCodes } from "../command-failure";
import { readInput } from "../input";
import type { CommonOptions, OutputOption } from "../command";
import { isPlain, type CliIo } from "../io";
import { flagBreaches, previewReport } from "./preview-report";
import { rendererOf, type Format } from "./formats";
import { TARGET_FLAG, type ReportOptions } from "./report-flags";
import { checkedPreview, previewsOf } from "./previews";
import { execFile } from "node:child_process";
import { version } from "../../process/version";

export interface CostOptions extends ReportOptions, CommonOptions, OutputOption {
  readonly format: Format;
  readonly details?: true;
}

export interface MadeReports {
  readonly reports: readonly CostReport[];
  /** The exceeded budgets of all stacks together. Those of one stack are in its report. */
  readonly overBudget: readonly BudgetBreach[];
}

/**
 * Prints the cost of the changes of one or more stacks. Passes `pulumiFlags` to `pulumi preview`. Resolves with the exit code. Rejects with CommandFailure.
 */
export async function runCost(options: CostOptions, pulumiFlags: readonly string[], io: CliIo): Promise<number> {
  const made = await makeReports(options, pulumiFlags, io);
  const origin = options.format === "html" ? await pageOrigin(io) : undefined;
  const { overBudget } = made;
  io.stdout.write(rendererOf(options.format)(made.reports, { ...renderOptions(options, io), origin, overBudget }));
  return verdict(made, io);
}

/** The reports of all stacks. Rejects with CommandFailure, also if a preview fails. */
export async function makeReports(
  options: ReportOptions,
  pulumiFlags: readonly string[],
  io: CliIo,
): Promise<MadeReports> {
  const approved = options.approved === undefined ? undefined : await approvedReport(options.approved, io);
  const reports: CostReport[] = [];
  const isTargeted = options.target.length > 0 || pulumiFlags.some((flag) => TARGET_FLAG.test(flag));
  for await (const made of previewsOf(options, pulumiFlags, io)) {
    const { stack = "", notes } = made;
    const report = previewReport(checkedPreview(made), { stack, notes, isTargeted });
    const breaches = approved ? unapproved(report, approved, "--approved") : [];
    reports.push({ ...report, overBudget: [...report.overBudget, ...breaches] });
  }
  const overBudget = flagBreaches(reports, options);
  const [only, ...others] = reports;
  if (only && others.length === 0)
    return { reports: [{ ...only, overBudget: [...only.overBudget, ...overBudget] }], overBudget: [] };
  return { reports, overBudget };
}

/** The report of `--approved`. Rejects with CommandFailure if it is not one. */
async function approvedReport(file: string, io: CliIo): Promise<CostDocument> {
  const { text, source } = await readInput(file, io);
  try {
    return costDocument.parse(JSON.parse(text));
  } catch (error) {
    // Without the parser's words, because they quote the text.
    throw new CommandFailure(`${source} holds no report. A report is what \`cloudinfra cost --format json\` prints.`, {
      cause: error,
    });
  }
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

function renderOptions({ details, all }: CostOptions, io: CliIo): RenderOptions {
  return {
    details,
    limit: all ? Infinity : undefined,
    paint: isPlain(io) ? undefined : inColour,
    width: io.stdout.columns,
  };
}

const inColour: Paint = (text, direction) =>
  styleText(direction === "up" ? "red" : "green", text, { validateStream: false });

/** The variables of CI services for the commit. */
const COMMIT_VARIABLES = ["GITHUB_SHA", "CI_COMMIT_SHA", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION"] as const;
const TIMEOUT_MS = 5_000;

/** The origin of a page: time, version and commit. Never rejects. */
export async function pageOrigin(io: Pick<CliIo, "cwd" | "environment" | "clock">): Promise<PageOrigin> {
  return { madeAt: new Date(io.clock.now()).toISOString(), version, commit: await commitOf(io) };
}

async function commitOf({ cwd, environment }: Pick<CliIo, "cwd" | "environment">): Promise<string | undefined> {
  const told = COMMIT_VARIABLES.map((name) => environment[name]).find((commit) => commit);
  if (told) return told;
  try {
    const options = { cwd, env: { ...environment }, timeout: TIMEOUT_MS };
    return (await promisify(execFile)("git", ["rev-parse", "--verify", "HEAD"], options)).stdout.trim();
  } catch {
    return undefined; // no repository, or no git: the page is made without it
  }
}
