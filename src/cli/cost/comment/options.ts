import { InvalidArgumentError, Option, type Command } from "commander";
import type { Decimal } from "decimal.js";
import { addCommonFlags, type CommonOptions } from "../../common-flags";
import { addReportFlags, dollars, type ReportOptions } from "../options";
import type { ForgeName } from "./forges";

/** The flags of `cloudinfra cost comment`. */
export interface CommentOptions extends ReportOptions, CommonOptions {
  /** A stack whose difference is smaller gets no comment of its own. */
  readonly minChange?: Decimal;
}

/** Those of `github`. */
export interface GithubOptions extends CommentOptions {
  /** The pull request's number. */
  readonly pr: number;
  /** `owner/name`; default: GITHUB_REPOSITORY. */
  readonly repo?: string;
}

/** Those of `gitlab`. */
export interface GitlabOptions extends CommentOptions {
  /** The merge request's number; default: CI_MERGE_REQUEST_IID. */
  readonly mr?: number;
  /** A number, or a path; default: CI_PROJECT_ID. */
  readonly project?: string;
}

/** Gives `cost` its subcommands `comment github` and `comment gitlab`. */
export function addCommentCommand(
  cost: Command,
  run: (forge: ForgeName, options: CommentOptions) => Promise<void>,
): void {
  cost.enablePositionalOptions();
  const comment = cost
    .command("comment")
    .description("keep the report as a comment on a pull request or merge request")
    .enablePositionalOptions();
  const github = comment
    .command("github")
    .description("keep one comment for each stack on a pull request at GitHub, through its REST API")
    .addOption(new Option("--pr <number>", "the pull request's number").argParser(number).makeOptionMandatory())
    .option("--repo <owner/name>", "the repository (default: GITHUB_REPOSITORY)")
    .addHelpText(
      "after",
      "\nGITHUB_TOKEN has the token, which needs the permission to write to pull requests; GITHUB_API_URL another API than github.com's.",
    );
  const gitlab = comment
    .command("gitlab")
    .description("keep one note for each stack on a merge request at GitLab, through its REST API")
    .addOption(
      new Option("--mr <number>", "the merge request's number (default: CI_MERGE_REQUEST_IID)").argParser(number),
    )
    .option("--project <id or path>", "the project (default: CI_PROJECT_ID)")
    .addHelpText(
      "after",
      "\nGITLAB_TOKEN has the token, which needs the scope `api`; CI_API_V4_URL another API than gitlab.com's.",
    );
  for (const [name, command] of [["github", github] as const, ["gitlab", gitlab] as const]) {
    command.addOption(
      new Option(
        "--min-change <dollars>",
        "say nothing of a stack whose difference is smaller, unless a budget is exceeded or an earlier comment has to be corrected",
      ).argParser(dollars),
    );
    addReportFlags(command);
    addCommonFlags(command).action((options: CommentOptions) => run(name, options));
  }
}

function number(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a number such as 12.");
  return Number(text);
}
