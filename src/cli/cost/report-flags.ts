import { InvalidArgumentError, Option, type Command } from "commander";
import type { Decimal } from "decimal.js";
import type * as Money from "../../cost/money";
import { addExitCodes, collectFlag, stackOption } from "../command-flags";
import type * as Html from "../../cost/html";
import type * as Json from "../../cost/json-report";
import type * as Markdown from "../../cost/markdown";
import type { Renderer } from "../../cost/renderer";
import type * as Table from "../../cost/cost-table";

export interface ReportOptions {
  /** Default: the selected one. */
  readonly stack: readonly string[];
  /** Files with previews, or `-`, instead of stacks. */
  readonly preview: readonly string[];
  readonly destroy?: true;
  readonly requote?: true;
  /** For `pulumi preview`. */
  readonly pulumiFlags: readonly string[];
  readonly all?: true;
  readonly failOverTotal?: Decimal;
  readonly failOverIncrease?: Decimal;
  /** A file with the approved report, or `-`. */
  readonly approved?: string;
}

export interface Targets {
  /** URNs. */
  readonly target: readonly string[];
}

/** Adds the flags for Pulumi: the targets, and the words after `--`. Other words are wrong usage. */
export function withPulumiFlags<Options extends ReportOptions>(
  words: readonly string[],
  options: Options & Targets,
  command: Command,
): Options {
  if (words[0]?.startsWith("-") === false)
    command.error(
      `error: too many arguments for '${command.name()}'. Only flags of pulumi preview may follow, after --.`,
    );
  if (options.preview.length > 0 && words.length > 0)
    command.error("error: flags after -- go to pulumi, but --preview does not run pulumi: leave one of them out");
  return { ...options, pulumiFlags: [...options.target.flatMap((urn) => ["--target", urn]), ...words] };
}

export function addReportFlags(command: Command): void {
  command
    .usage("[options] [-- <flags of pulumi preview>]")
    .argument("[flags...]")
    .addOption(
      stackOption("Report this stack. Repeat the flag for several stacks.")
        .argParser(collectFlag)
        .default([], "the selected one"),
    )
    .addOption(
      new Option(
        "--preview <file>",
        "Read the output of `pulumi preview --json --show-sames`, and run nothing; - is standard input. Repeat the flag for several files.",
      )
        .argParser(collectFlag)
        .default([], "none")
        .conflicts(["stack", "destroy", "requote", "target"]),
    )
    .option("--destroy", "Report what destroying the stack saves.")
    .addOption(
      new Option("--requote", "Ask for a new quote of every resource, including unchanged ones.").conflicts("destroy"),
    )
    .addOption(
      new Option("--target <urn>", "Report only this resource. Repeat the flag for several.")
        .argParser(collectFlag)
        .default([], "all"),
    )
    .option("--all", "List every resource, not only the 20 largest changes.")
    .option("--fail-over-total <dollars>", "Exit with code 5 if the monthly total exceeds this amount.", parseDollars)
    .option(
      "--fail-over-increase <dollars>",
      "Exit with code 5 if the monthly increase exceeds this amount.",
      parseDollars,
    )
    .option(
      "--approved <file>",
      "Exit with code 5 if a change or a cost differs from this report, which --format json has printed; - is standard input.",
    );
  addExitCodes(command, "5 over a budget or not as approved", "or Pulumi's own if the preview fails");
}

/** Parses the amount of a flag. */
export function parseDollars(text: string): Decimal {
  if (!/^\d+(\.\d+)?$/.test(text))
    throw new InvalidArgumentError('It must be an amount in dollars such as "250" or "99.50".');
  return (require("../../cost/money") as typeof Money).decimal(text);
}

/** Pulumi's flags for a preview of a part of the resources. */
export const TARGET_FLAG = /^(-[dfry]*[tx]|--(target|target-replace|exclude)(=|$))/;

/** Each format loads only its own modules. */
export const renderers = {
  table: () => (require("../../cost/cost-table") as typeof Table).stacksTable,
  markdown: () => (require("../../cost/markdown") as typeof Markdown).costMarkdown,
  json: () => (require("../../cost/json-report") as typeof Json).jsonReport,
  html: () => (require("../../cost/html") as typeof Html).costHtml,
} satisfies Readonly<Record<string, () => Renderer>>;

export type Format = keyof typeof renderers;
export const formats = Object.keys(renderers) as readonly Format[];
