import { InvalidArgumentError, Option, type Command } from "commander";
import type { Decimal } from "decimal.js";
import { addReportFlags, dollars, type ReportOptions } from "../options";

/** The flags of `cloudinfra cost comment github`. */
export interface CommentOptions extends ReportOptions {
  /** The pull request's number. */
  readonly pr: number;
  /** `owner/name`; default: GITHUB_REPOSITORY. */
  readonly repo?: string;
  /** A stack whose difference is smaller gets no comment of its own. */
  readonly minChange?: Decimal;
}

/** Gives `cost` its subcommand `comment github`. */
export function addCommentCommand(cost: Command, run: (options: CommentOptions) => Promise<void>): void {
  cost.enablePositionalOptions();
  const github = cost
    .command("comment")
    .description("keep the report as a comment on a pull request")
    .command("github")
    .description("keep one comment for each stack on a pull request at GitHub, through its REST API")
    .addOption(
      new Option("--pr <number>", "the pull request's number").argParser(pullRequestNumber).makeOptionMandatory(),
    )
    .option("--repo <owner/name>", "the repository (default: GITHUB_REPOSITORY)")
    .addOption(
      new Option(
        "--min-change <dollars>",
        "say nothing of a stack whose difference is smaller, unless an earlier comment has to be corrected",
      ).argParser(dollars),
    )
    .addHelpText(
      "after",
      "\nGITHUB_TOKEN has the token, which needs the permission to write to pull requests; GITHUB_API_URL another API than github.com's.",
    );
  addReportFlags(github);
  github.action(run);
}

function pullRequestNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a number such as 12.");
  return Number(text);
}
