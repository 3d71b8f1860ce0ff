import { InvalidArgumentError, Option, type Command } from "commander";
import type { Temporal } from "temporal-polyfill";
import { addOutputFlag, stackOption, type CommonOptions, type OutputOption } from "../common-flags";
import { parseDuration } from "../../rotation/calendar";

/** The flags of `cloudinfra rotate`: either `check` or `audit`. */
export interface RotateOptions extends CommonOptions, OutputOption {
  readonly check?: true;
  readonly audit?: true;
  /** Default: the selected one. */
  readonly stack?: string | undefined;
  /** A file with an exported state, or `-`, in place of a stack. */
  readonly state?: string | undefined;
  readonly within?: Temporal.Duration | undefined;
  readonly days?: number | undefined;
  readonly format: "table" | "json";
}

const MOST_DAYS = 3_660;

/** Gives the command its flags. */
export function addFlags(command: Command): void {
  addOutputFlag(command)
    .addOption(new Option("--check", "List the keys, and say which are due.").conflicts("audit"))
    .addOption(new Option("--audit", "List the clients that have used replaced keys.").conflicts("within"))
    .addOption(stackOption("Read this stack. (default: the selected one)"))
    .addOption(
      new Option(
        "--state <file>",
        "Read the output of `pulumi stack export` instead of a stack; - is standard input.",
      ).conflicts("stack"),
    )
    .addOption(
      new Option(
        "--within <duration>",
        "With --check: count a key as due if it expires within this time, such as 14d.",
      ).argParser(within),
    )
    .addOption(
      new Option(
        "--days <n>",
        "Read the audit log of the last n days. (default: 7 for --audit, the key's life for --check)",
      ).argParser(days),
    )
    .addOption(
      new Option("--format <format>", "Print the report in this format.").choices(["table", "json"]).default("table"),
    )
    .addHelpText(
      "after",
      "\nExit codes of --check: 0 no key is due, 1 error, 2 wrong usage, 7 some keys are due or expired.\nWith --state, the settings come from the environment only.",
    );
}

function within(text: string): Temporal.Duration {
  const duration = parseDuration(text);
  if (!duration) throw new InvalidArgumentError('It must be a duration such as "14d" or "P14D".');
  return duration;
}

function days(text: string): number {
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > MOST_DAYS) throw new InvalidArgumentError(`It must be a number from 1 to ${MOST_DAYS}.`);
  return count;
}
