import { InvalidArgumentError, Option, type Command } from "commander";
import type { Temporal } from "temporal-polyfill";
import { addOutputFlag, stackOption, type CommonOptions, type OutputOption } from "../common-flags";
import { parseDuration } from "../../rotation/duration";

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
    .addOption(new Option("--check", "say which keys are due").conflicts("audit"))
    .addOption(new Option("--audit", "say who has used the keys that were replaced").conflicts("within"))
    .addOption(stackOption("the Pulumi stack (default: the selected one)"))
    .addOption(
      new Option(
        "--state <file>",
        "what `pulumi stack export` has printed, in place of a stack; - is standard input",
      ).conflicts("stack"),
    )
    .addOption(
      new Option(
        "--within <duration>",
        "with --check: keys that expire within it are due as well, such as 14d",
      ).argParser(within),
    )
    .addOption(
      new Option(
        "--days <n>",
        "how far back the audit log is read (default: 7 for --audit, the key's life for --check)",
      ).argParser(days),
    )
    .addOption(new Option("--format <format>", "how it is printed").choices(["table", "json"]).default("table"))
    .addHelpText(
      "after",
      "\nExit codes of --check: 0 none is due, 7 some are due or expired, 1 error, 2 wrong usage.\nWith --state the settings are those of the environment.",
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
