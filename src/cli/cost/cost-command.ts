import { Option, type Command, InvalidArgumentError } from "commander";
import { addCommonFlags, addExamples, addExitCodes, addOutputFlag, type RunCommand } from "../command-flags";
import type * as Cost from "./run-cost";
import { formats, addReportFlags, withPulumiFlags, type Targets, parseDollars } from "./report-flags";
import type * as Comment from "./comment/run-comment";

export function addCostCommand(program: Command, run: RunCommand): void {
  const cost = program.command("cost").description("Report what the changes of a stack cost a month.");
  addReportFlags(cost);
  addExamples(
    cost,
    "cloudinfra cost --stack dev --stack prod --details",
    "cloudinfra cost --stack prod --fail-over-total 500",
    "pulumi preview --json --show-sames | cloudinfra cost --preview -",
  );
  addOutputFlag(cost)
    .addOption(new Option("--format <format>", "Print the report in this format.").choices(formats).default("table"))
    .option("--details", "Add the usage of each changed resource. (Markdown and HTML always show it.)");
  addCommentCommand(cost, run);
  addCommonFlags(cost).action((words: readonly string[], given: Cost.CostOptions & Targets) => {
    const options = withPulumiFlags(words, given, cost);
    return run(options, (io) => (require("./run-cost") as typeof Cost).runCost(options, io));
  });
}

function addCommentCommand(cost: Command, run: RunCommand): void {
  cost.enablePositionalOptions();
  const comment = cost
    .command("comment")
    .description("Keep the report as a comment on a pull request or merge request.")
    .enablePositionalOptions();
  addExitCodes(comment, "or as the command's help says");
  addExamples(comment, "cloudinfra cost comment github --pr 12", "cloudinfra cost comment gitlab --mr 7");
  const github = comment
    .command("github")
    .description("Keep one comment for each stack on a pull request at GitHub.")
    .requiredOption("--pr <number>", "Comment on the pull request with this number.", number)
    .option("--repo <owner/name>", "Use this repository. (default: GITHUB_REPOSITORY)")
    .addHelpText(
      "after",
      "\nSet GITHUB_TOKEN to a token that may write to pull requests. Set GITHUB_API_URL if the API is not github.com's.",
    );
  const gitlab = comment
    .command("gitlab")
    .description("Keep one note for each stack on a merge request at GitLab.")
    .option("--mr <number>", "Comment on the merge request with this number. (default: CI_MERGE_REQUEST_IID)", number)
    .option("--project <id or path>", "Use this project. (default: CI_PROJECT_ID)")
    .addHelpText(
      "after",
      "\nSet GITLAB_TOKEN to a token with the scope `api`. Set CI_API_V4_URL if the API is not gitlab.com's.",
    );
  for (const command of [github, gitlab]) {
    command.option(
      "--min-change <dollars>",
      "Write no comment for a smaller difference, unless a budget is exceeded or an earlier comment needs an update.",
      parseDollars,
    );
    addReportFlags(command);
    addCommonFlags(command).action((words: readonly string[], given: Comment.CommentOptions & Targets) => {
      const options = withPulumiFlags(words, given, command);
      return run(options, (io) => (require("./comment/run-comment") as typeof Comment).runComment(options, io));
    });
  }
  addExamples(github, "cloudinfra cost comment github --pr 12 --stack dev --min-change 5");
  addExamples(gitlab, "cloudinfra cost comment gitlab --project group/infra --mr 7");
}

function number(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("It must be a number such as 12.");
  return Number(text);
}
