import { costMarkdown, costMarker } from "../../../cost/markdown";
import { cents, dollars } from "../../../cost/money";
import type { CostReport } from "../../../cost/report";
import { printable } from "../../../terminal-text";
import { CommandFailure } from "../../command-failure";
import { exitCodes } from "../../exit-codes";
import type { CliIo } from "../../io";
import { makeReports, verdict } from "../cost";
import { GithubComments } from "./github";
import { keepComment, type KeptComment } from "./keep-comment";
import type { CommentOptions } from "./options";

const PUBLIC_API = "https://api.github.com";

/**
 * Keeps one comment for each stack on a pull request. `pulumiFlags` go to `pulumi preview` as they are. Resolves with the exit
 * code, which is that of `cloudinfra cost`.
 */
export async function runComment(options: CommentOptions, pulumiFlags: readonly string[], io: CliIo): Promise<number> {
  try {
    // What is missing is told before a preview takes its time.
    const github = openGithub(options, io);
    try {
      const made = await makeReports(options, pulumiFlags, io);
      if (made.status === "failed") return made.exitCode;
      for (const report of made.reports) {
        const kept = await keepComment(github, wanted(report, options));
        io.stdout.write(`${printable(report.stack)}: ${wordsFor(kept, options)}\n`);
      }
      return verdict(made, options, io);
    } finally {
      await github.close();
    }
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    io.stderr.write(`error: ${printable(error.message)}\n`);
    return exitCodes.error;
  }
}

function openGithub({ repo, pr }: CommentOptions, { environment }: CliIo): GithubComments {
  const repository = repo ?? set(environment["GITHUB_REPOSITORY"]);
  if (repository === undefined || !/^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/.test(repository)) {
    throw new CommandFailure("Which repository? Give it as owner/name with --repo, or in GITHUB_REPOSITORY.");
  }
  const token = set(environment["GITHUB_TOKEN"]);
  if (token === undefined || !/^[\x21-\x7e]+$/.test(token)) {
    throw new CommandFailure(
      "GITHUB_TOKEN has no token. It needs one that may write to the repository's pull requests.",
    );
  }
  const apiUrl = set(environment["GITHUB_API_URL"]) ?? PUBLIC_API;
  return new GithubComments({ apiUrl, repository, pullRequest: pr, token });
}

function wanted(report: CostReport, { all, minChange }: CommentOptions): Parameters<typeof keepComment>[1] {
  return {
    marker: costMarker(report),
    body: costMarkdown([report], { limit: all ? Infinity : undefined }),
    isWorthNew: minChange === undefined || !cents(report.delta.abs()).lessThan(minChange),
  };
}

function wordsFor(kept: KeptComment, { minChange }: CommentOptions): string {
  if (kept.status !== "none") return `comment ${kept.status}: ${printable(kept.address)}`;
  return `no comment, as the difference is less than ${minChange ? dollars(minChange) : "nothing"}`;
}

/** A variable that is empty is not set. */
function set(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
