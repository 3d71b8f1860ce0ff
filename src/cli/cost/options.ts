import { InvalidArgumentError, Option, type Command } from "commander";
import type { Decimal } from "decimal.js";
import { decimal } from "../../cost/money";
import { formats, type Format } from "./formats";

/** The flags that say of what a report is made, and when it is over a limit. */
export interface ReportOptions {
  /** Default: the selected one. */
  readonly stack: readonly string[];
  /** Files with previews, or `-`, in place of stacks. */
  readonly preview: readonly string[];
  readonly destroy?: true;
  readonly requote?: true;
  /** URNs. */
  readonly target: readonly string[];
  readonly all?: true;
  readonly failOverTotal?: Decimal;
  readonly failOverIncrease?: Decimal;
}

/** The flags of `cloudinfra cost`. */
export interface CostOptions extends ReportOptions {
  readonly format: Format;
  readonly details?: true;
}

/** Gives the command its flags. */
export function addFlags(command: Command): void {
  addReportFlags(command);
  command
    .addOption(new Option("--format <format>", "how it is printed").choices(formats).default("table"))
    .option("--details", "with the usage dimensions of each changed resource (markdown and html always have them)");
}

/** Gives a command the flags of a report. */
export function addReportFlags(command: Command): void {
  const amount = (flag: string, what: string): Option =>
    new Option(`${flag} <dollars>`, `end with 5 where ${what} a month than this`).argParser(dollars);
  command
    .usage("[options] [-- <flags of pulumi preview>]")
    .addOption(
      new Option("--stack <name>", "a Pulumi stack; may be given again")
        .argParser(another)
        .default([], "the selected one"),
    )
    .addOption(
      new Option(
        "--preview <file>",
        "what `pulumi preview --json --show-sames` has printed, in place of a stack; - is standard input; may be given again",
      )
        .argParser(another)
        .default([], "none")
        .conflicts(["stack", "destroy", "requote", "target"]),
    )
    .addOption(new Option("--destroy", "what destroying the stack saves"))
    .addOption(
      new Option("--requote", "ask for a new quote of every resource, unchanged ones too").conflicts("destroy"),
    )
    .addOption(
      new Option("--target <urn>", "only this resource; may be given again").argParser(another).default([], "all"),
    )
    .option("--all", "every changed resource has a row of its own, and not the 20 largest alone")
    .addOption(amount("--fail-over-total", "the total is more"))
    .addOption(amount("--fail-over-increase", "the increase is more"))
    .addHelpText(
      "after",
      "\nExit codes: 0 fine, 5 over a budget, 1 error, 2 wrong usage; where the preview fails, Pulumi's own.",
    );
}

function another(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** Reads an amount that a flag gives. */
export function dollars(text: string): Decimal {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new InvalidArgumentError('It must be an amount in dollars such as "250" or "99.50".');
  return decimal(text);
}
