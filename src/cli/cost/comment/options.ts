import { InvalidArgumentError, Option, type Command } from "commander";
import type { Decimal } from "decimal.js";
import { addCommonFlags, type CommonOptions } from "../../common-flags";
import { addReportFlags, dollars, type ReportOptions } from "../options";

/** The forges that a comment can be kept on. */
export type ForgeName = "github" | "gitlab";

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
    .description("Keep the report as a comment on a pull request or merge request.")
    .enablePositionalOptions();
  const github = comment
    .command("github")
    .description("Keep one comment for each stack on a pull request at GitHub.")
    .addOption(
      new Option("--pr <number>", "Comment on the pull request with this number.")
        .argParser(number)
        .makeOptionMandatory(),
    )
    .option("--repo <owner/name>", "Use this repository. (default: GITHUB_REPOSITORY)")
    .addHelpText(
      "after",
      "\nSet GITHUB_TOKEN to a token that may write to pull requests. Set GITHUB_API_URL if the API is not github.com's.",
    );
  const gitlab = comment
    .command("gitlab")
    .description("Keep one note for each stack on a merge request at GitLab.")
    .addOption(
      new Option(
        "--mr <number>",
        "Comment on the merge request with this number. (default: CI_MERGE_REQUEST_IID)",
      ).argParser(number),
    )
    .option("--project <id or path>", "Use this project. (default: CI_PROJECT_ID)")
    .addHelpText(
      "after",
      "\nSet GITLAB_TOKEN to a token with the scope `api`. Set CI_API_V4_URL if the API is not gitlab.com's.",
    );
  for (const [name, command] of [["github", github] as const, ["gitlab", gitlab] as const]) {
    command.addOption(
      new Option(
        "--min-change <dollars>",
        "Write no comment for a smaller difference, unless a budget is exceeded or an earlier comment needs an update.",
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
