import { Option, type Command } from "commander";
import { addCommonFlags, addOutputFlag, type RunCommand } from "../command-flags";
import { addCommentCommand } from "./comment/comment-command";
import type * as Cost from "./run-cost";
import { formats } from "./formats";
import { addReportFlags, withPulumiFlags, type Targets } from "./report-flags";

export function addCostCommand(program: Command, run: RunCommand): void {
  const cost = program.command("cost").description("Report what the changes of a stack cost a month.");
  addReportFlags(cost);
  addOutputFlag(cost)
    .addOption(new Option("--format <format>", "Print the report in this format.").choices(formats).default("table"))
    .option("--details", "Add the usage of each changed resource. (Markdown and HTML always show it.)");
  addCommentCommand(cost, run);
  addCommonFlags(cost).action((words: readonly string[], given: Cost.CostOptions & Targets) => {
    const options = withPulumiFlags(words, given, cost);
    return run(options, (io) => (require("./run-cost") as typeof Cost).runCost(options, io));
  });
}
