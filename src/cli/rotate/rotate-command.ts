import { InvalidArgumentError, Option, type Command } from "commander";
import type { Temporal } from "temporal-polyfill";
import type * as Calendar from "../../rotation/calendar";
import { addCommonFlags, addOutputFlag, stackOption, wholeNumber, type RunCommand } from "../command-flags";
import { addServeCommand } from "./serve/serve-command";
import type * as Rotate from "./rotate";

const MOST_DAYS = 3_660;

export function addRotateCommand(program: Command, run: RunCommand): void {
  const rotate = program
    .command("rotate")
    .enablePositionalOptions()
    .description("List the API keys of a stack that are due for rotation, or the clients that use replaced keys.");
  addOutputFlag(rotate)
    .addOption(new Option("--check", "List the keys, and say which are due.").conflicts("audit"))
    .addOption(new Option("--audit", "List the clients that have used replaced keys.").conflicts("within"))
    .addOption(stackOption("Read this stack. (default: the selected one)"))
    .addOption(
      new Option(
        "--state <file>",
        "Read the output of `pulumi stack export` instead of a stack; - is standard input.",
      ).conflicts("stack"),
    )
    .option(
      "--within <duration>",
      "With --check: count a key as due if it expires within this time, such as 14d.",
      parseDurationFlag,
    )
    .addOption(
      new Option(
        "--wait-quiet <duration>",
        "With --check: wait up to this time, such as 1h, until no replaced key waits for its clients.",
      )
        .conflicts("audit")
        .argParser(parseDurationFlag),
    )
    .option(
      "--days <n>",
      "Read the audit log of the last n days. (default: 7 for --audit, the key's life for --check)",
      wholeNumber(1, MOST_DAYS),
    )
    .addOption(
      new Option("--format <format>", "Print the report in this format.").choices(["table", "json"]).default("table"),
    )
    .addHelpText(
      "after",
      "\nExit codes of --check: 0 no key is due, 1 error, 2 wrong usage, 7 some keys are due or expired, 9 the time of --wait-quiet is over and some replaced keys still wait.\nWith --state, the settings come from the environment only.",
    );
  addCommonFlags(rotate).action((options: Rotate.RotateOptions) => {
    if (!options.check && !options.audit) rotate.error("error: give --check or --audit");
    return run(options, (io) => (require("./rotate") as typeof Rotate).runRotate(options, io));
  });
  addServeCommand(rotate, run);
}

function parseDurationFlag(text: string): Temporal.Duration {
  const duration = (require("../../rotation/calendar") as typeof Calendar).parseDuration(text);
  if (!duration) throw new InvalidArgumentError('It must be a duration such as "14d" or "P14D".');
  return duration;
}
