import type { BudgetBreach } from "../../../cost/budget-breach";
import { costMarkdown, costMarker } from "../../../cost/markdown";
import { cents, dollars } from "../../../cost/money";
import type { CostReport } from "../../../cost/report";
import { printable } from "../../../text/terminal-text";
import type { CliIo } from "../../io";
import { makeReports, verdict } from "../cost";
import { openForge, type CommentOptions, type ForgeName } from "./forges";
import { keepComment, type KeptComment, type WantedComment } from "./keep-comment";

/**
 * Keeps one comment for each stack on a pull request or merge request. Passes `pulumiFlags` to `pulumi preview`. Resolves with
 * the exit code of `cloudinfra cost`. Rejects with CommandFailure.
 */
export async function runComment(
  forge: ForgeName,
  options: CommentOptions,
  pulumiFlags: readonly string[],
  io: CliIo,
): Promise<number> {
  // Reports a missing setting before the preview takes its time.
  const comments = openForge(forge, options, io);
  try {
    const made = await makeReports(options, pulumiFlags, io);
    for (const report of made.reports) {
      const kept = await keepComment(comments, wanted(withAllStacks(report, made.overBudget), options), io.clock);
      io.stdout.write(`${printable(report.stack)}: ${wordsFor(kept, options)}\n`);
    }
    return verdict(made, io);
  } finally {
    await comments.close();
  }
}

function wanted(report: CostReport, { all, minChange }: CommentOptions): WantedComment {
  return {
    marker: costMarker(report),
    body: costMarkdown([report], { limit: all ? Infinity : undefined }),
    isWorthNew:
      minChange === undefined || report.overBudget.length > 0 || !cents(report.delta.abs()).lessThan(minChange),
  };
}

/** Each stack has its own comment. The exceeded budgets of all stacks are in each of them. */
function withAllStacks(report: CostReport, breaches: readonly BudgetBreach[]): CostReport {
  const ofAll = breaches.map((breach) => ({ ...breach, reason: `of all stacks together, ${breach.reason}` }));
  return { ...report, overBudget: [...report.overBudget, ...ofAll] };
}

function wordsFor(kept: KeptComment, { minChange }: CommentOptions): string {
  if (kept.status !== "none") return `comment ${kept.status}: ${printable(kept.address)}`;
  return `no comment: the difference is less than ${minChange ? dollars(minChange) : "nothing"}`;
}
