import type { Decimal } from "decimal.js";
import type { Clock } from "../../../time/clock";
import { costMarkdown, costMarker } from "../../../cost/markdown";
import { cents, dollars } from "../../../cost/money";
import type { BudgetBreach } from "../../../cost/cost-document";
import { labelStacks, type CostReport } from "../../../cost/report";
import { printable } from "../../../text/terminal-text";
import type { CommonOptions } from "../../command-flags";
import { CommandFailure } from "../../command-failure";
import type { CliIo } from "../../io";
import type { StackName } from "../../pulumi/run-pulumi";
import { makeReports, reportBudgets } from "../run-cost";
import type { ReportOptions } from "../report-flags";
import { CodeHostError, type Comments } from "./comments";
import { githubComments, gitlabComments, type GithubOptions, type GitlabOptions } from "./code-hosts";

export type CommentOptions = ReportOptions &
  CommonOptions &
  (GithubOptions | GitlabOptions) & {
    /** No comment for a smaller difference. */
    readonly minChange?: Decimal;
  };

/**
 * Keeps one comment for each stack on a pull request or merge request. Resolves with the exit code of `cloudinfra
 * cost`. Rejects with CommandFailure.
 */
export async function runComment(options: CommentOptions, io: CliIo): Promise<number> {
  // Made first, so that a missing setting is reported before the previews run.
  const comments = "pr" in options ? githubComments(options, io) : gitlabComments(options, io);
  try {
    const made = await makeReports(options, io, assertNamed);
    const labelOf = labelStacks(made.reports);
    for (const report of made.reports) {
      const wanted = wantedComment(withAllStacks(report, made.overBudget), options);
      const kept = await upsertComment(comments, wanted, io.clock);
      io.stdout.write(`${printable(labelOf(report))}: ${wordsFor(kept, options)}\n`);
    }
    return reportBudgets(made, io);
  } finally {
    await comments.close();
  }
}

/** Without its organization, a stack would get the comment of another one, or a second comment. */
function assertNamed({ stack, fault }: StackName): void {
  if (fault === undefined) return;
  throw new CommandFailure(
    `No comment was written for ${stack || "the selected stack"}: Pulumi did not say the stack's organization, which marks its comment: ${fault}. ` +
      "Run this again, or give the complete name with --stack organization/project/stack.",
  );
}

function wantedComment(report: CostReport, { all, minChange }: CommentOptions): WantedComment {
  return {
    marker: costMarker(report),
    body: costMarkdown([report], { limit: all ? Infinity : undefined }),
    isWorthNew:
      minChange === undefined || report.overBudget.length > 0 || !cents(report.delta.abs()).lessThan(minChange),
  };
}

/** Adds the exceeded budgets of all stacks to a report, because each stack has its own comment. */
function withAllStacks(report: CostReport, breaches: readonly BudgetBreach[]): CostReport {
  const ofAll = breaches.map((breach) => ({ ...breach, reason: `of all stacks together, ${breach.reason}` }));
  return { ...report, overBudget: [...report.overBudget, ...ofAll] };
}

function wordsFor(kept: KeptComment, { minChange }: CommentOptions): string {
  if (kept.status !== "none") return `comment ${kept.status}: ${printable(kept.address)}`;
  return `no comment: the difference is less than ${minChange ? dollars(minChange) : "nothing"}`;
}

interface WantedComment {
  /** The first line of the text, which identifies the comment. */
  readonly marker: string;
  readonly body: string;
  /** True if a new comment may be written. If not, only an earlier one is updated. */
  readonly isWorthNew: boolean;
}

type KeptComment = { readonly status: "created" | "updated"; readonly address: string } | { readonly status: "none" };

/** The pauses before further attempts, because temporary faults of code hosts last for seconds. */
const PAUSES_MS = [1_000, 4_000, 10_000];

/**
 * Updates the latest comment with the marker, or writes a new one. After a temporary fault it reads the comments again
 * before it writes, so that it does not write one twice. Rejects with CommandFailure.
 */
async function upsertComment(
  comments: Comments,
  wanted: WantedComment,
  clock: Pick<Clock, "sleep">,
): Promise<KeptComment> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await upsertOnce(comments, wanted);
    } catch (error) {
      if (!(error instanceof CodeHostError) || error.retryAfterMs === undefined) throw error;
      await clock.sleep(Math.max(pauseMs, error.retryAfterMs));
    }
  }
  return upsertOnce(comments, wanted);
}

async function upsertOnce(comments: Comments, { marker, body, isWorthNew }: WantedComment): Promise<KeptComment> {
  const marked = (await comments.list()).filter((comment) => comment.body.startsWith(marker)).reverse();
  const me = marked.length > 0 ? await comments.me() : undefined;
  const earlier = marked.filter(({ author }) => isBy(author, me));
  if (earlier.length === 0 && !isWorthNew) return { status: "none" };
  for (const { id } of earlier) {
    try {
      return { status: "updated", address: await comments.update(id, body) };
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
  return { status: "created", address: await comments.create(body) };
}

/**
 * True if the comment belongs to our account. Anybody could write a comment with the marker, and the token may be able
 * to change the comments of others. A bot that does not know its own name updates comments of bots only.
 */
function isBy(author: string | undefined, me: string | undefined): boolean {
  return me === undefined ? author?.endsWith("[bot]") === true : author === me;
}

/** True if the comment belongs to somebody else, or was deleted meanwhile. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof CodeHostError && !error.isRateLimit && (error.status === 403 || error.status === 404);
}
