import { promisify } from "node:util";
import { budgetNotes } from "../../cost/notes";
import { costDocument, type BudgetBreach } from "../../cost/cost-document";
import { labelStacks, stackTitle, type CostReport } from "../../cost/report";
import { CommandFailure } from "../command-failure";
import type { PageOrigin, Paint, Renderer, RenderOptions } from "../../cost/renderer";
import { approvalBreaches } from "../../cost/budget";
import { exitCodes } from "../exit-codes";
import { documentIn, readInput, painterOf, type CliIo } from "../io";
import type { CommonOptions, OutputOption } from "../command-flags";
import type { StackName } from "../pulumi/run-pulumi";
import { flagBreaches, previewReport } from "./preview-report";
import { renderers, type Format, type ReportOptions } from "./report-flags";
import { checkedPreview, previewsOf } from "./previews";
import { execFile } from "node:child_process";
import { version } from "../../process/version";

export interface CostOptions extends ReportOptions, CommonOptions, OutputOption {
  readonly format: Format;
  readonly details?: true;
}

interface MadeReports {
  readonly reports: readonly CostReport[];
  /** The exceeded budgets of all stacks together. Those of one stack are in its report. */
  readonly overBudget: readonly BudgetBreach[];
}

/** Prints the cost of the changes of one or more stacks. Resolves with the exit code. Rejects with CommandFailure. */
export async function runCost(options: CostOptions, io: CliIo): Promise<number> {
  const made = await makeReports(options, io);
  const origin = options.format === "html" ? await pageOrigin(io) : undefined;
  const { overBudget } = made;
  const render: Renderer = renderers[options.format]();
  io.stdout.write(render(made.reports, { ...renderOptions(options, io), origin, overBudget }));
  // Not twice on one screen: the table has them.
  const isShown = options.format === "table" && io.stdout.isTTY === true;
  return isShown ? budgetCode(made) : reportBudgets(made, io);
}

/**
 * Makes the reports of all stacks. Rejects with CommandFailure, also if a preview fails or `assertNamed` throws.
 * `assertNamed` gets the name of each stack after its preview.
 */
export async function makeReports(
  options: ReportOptions,
  io: CliIo,
  assertNamed?: (stack: StackName) => void,
): Promise<MadeReports> {
  const approved =
    options.approved === undefined
      ? undefined
      : documentIn(await readInput(options.approved, io), costDocument, "report", "cloudinfra cost --format json");
  const reports: CostReport[] = [];
  for await (const made of previewsOf(options, io)) {
    const { stack, notes, isTargeted } = made;
    const report = previewReport(checkedPreview(made), { stack, notes, isTargeted });
    if (stack) assertNamed?.(stack);
    const title = stackTitle(report);
    if (reports.some((other) => stackTitle(other) === title)) {
      const message = `${made.label} is a second one of ${title}, which would count twice. Give each stack once.`;
      throw new CommandFailure(message, { exitCode: exitCodes.wrongUsage });
    }
    const breaches = approved ? approvalBreaches(report, approved, "--approved") : [];
    reports.push({ ...report, overBudget: [...report.overBudget, ...breaches] });
  }
  const overBudget = flagBreaches(reports, options);
  const [only, ...others] = reports;
  if (only && others.length === 0)
    return { reports: [{ ...only, overBudget: [...only.overBudget, ...overBudget] }], overBudget: [] };
  return { reports, overBudget };
}

/** Prints exceeded budgets on stderr, with the names of their stacks. Returns the exit code. */
export function reportBudgets({ reports, overBudget }: MadeReports, io: CliIo): number {
  const labelOf = labelStacks(reports);
  for (const report of reports) for (const note of budgetNotes(report, labelOf(report))) io.stderr.write(`${note}\n`);
  for (const note of budgetNotes({ overBudget }, "all stacks together")) io.stderr.write(`${note}\n`);
  return budgetCode({ reports, overBudget });
}

function budgetCode({ reports, overBudget }: MadeReports): number {
  const isOver = [...reports.flatMap((report) => report.overBudget), ...overBudget].some(
    ({ enforce }) => enforce === "mandatory",
  );
  return isOver ? exitCodes.overBudget : exitCodes.fine;
}

function renderOptions({ details, all }: CostOptions, io: CliIo): RenderOptions {
  const painter = painterOf(io);
  const paint: Paint = (text, direction) => painter(direction === "up" ? "red" : "green", text);
  return { details, limit: all ? Infinity : undefined, paint, width: io.stdout.columns };
}

const COMMIT_VARIABLES = ["GITHUB_SHA", "CI_COMMIT_SHA", "BITBUCKET_COMMIT", "BUILD_SOURCEVERSION"] as const;
const TIMEOUT_MS = 5_000;

/** The origin of a page: time, version and commit. Never rejects. */
async function pageOrigin(io: Pick<CliIo, "cwd" | "environment" | "clock">): Promise<PageOrigin> {
  return { madeAt: new Date(io.clock.now()).toISOString(), version, commit: await commitOf(io) };
}

async function commitOf({ cwd, environment }: Pick<CliIo, "cwd" | "environment">): Promise<string | undefined> {
  const commit = COMMIT_VARIABLES.map((name) => environment[name]).find((found) => found);
  if (commit) return commit;
  try {
    const options = { cwd, env: { ...environment }, timeout: TIMEOUT_MS };
    return (await promisify(execFile)("git", ["rev-parse", "--verify", "HEAD"], options)).stdout.trim();
  } catch {
    return undefined; // without a repository or git, the page has no commit
  }
}
