import { Argument, Command, CommanderError, Option } from "commander";
import type { SimulatorOptions } from "../simulator/options";
import { version } from "../version";
import type * as Comment from "./cost/comment/comment";
import type * as CommentFlags from "./cost/comment/options";
import type * as Cost from "./cost/cost";
import type * as CostFlags from "./cost/options";
import { CommandFailure } from "./command-failure";
import {
  addCommonFlags,
  addOutputFlag,
  ioOf,
  stackOption,
  withOutput,
  type CommonOptions,
  type OutputOption,
} from "./common-flags";
import type * as Completion from "./completion";
import type * as Doctor from "./doctor/doctor";
import { exitCodes } from "./exit-codes";
import { fitIo, processIo, type CliIo } from "./io";
import type * as Plugin from "./plugin/install";
import type * as RotateFlags from "./rotate/options";
import type * as Rotate from "./rotate/rotate";
import type * as Simulator from "./simulator-command";

/**
 * The command line `cloudinfra`. Resolves with the exit code: 0 fine, 1 an error (already printed), 2 wrong usage, or a code
 * of the command's own. Rejects with an unforeseen error.
 */
export async function main(argv: readonly string[], processesIo: CliIo = processIo()): Promise<number> {
  const io = fitIo(processesIo);
  let exitCode: number = exitCodes.fine;
  const [own, pulumiFlags] = atDoubleDash(argv);
  const program = new Command("cloudinfra")
    .description("The command line of pulumi-cloudinfra.")
    .version(version, "-V, --version", "Print the version of this package.")
    .helpOption("-h, --help", "Print this help.")
    .addHelpText("after", "\nExit codes: 0 fine, 1 error, 2 wrong usage.")
    .showHelpAfterError("Try --help.")
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => io.stdout.columns ?? 80,
      getErrHelpWidth: () => io.stderr.columns ?? 80,
    })
    .helpCommand("help [command]", "Print the help of a command.")
    // Flags after a command belong to that command: `cost` and `cost comment github` have flags of the same names.
    .enablePositionalOptions()
    .exitOverride();

  addCommonFlags(program);

  /** Runs a command with the flags of `cloudinfra` and its own. */
  const run = async (options: CommonOptions & OutputOption, command: (io: CliIo) => Promise<number>): Promise<void> => {
    try {
      exitCode = await withOutput(ioOf(ioOf(io, program.opts()), options), options, command);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      io.stderr.write(`error: ${error.message}\n`);
      exitCode = exitCodes.error;
    }
  };

  const isAsked = (name: string): boolean => argv.includes(name) || argv.includes("completion");
  const cost = program.command("cost").description("Report what the changes of a stack cost a month.");
  if (isAsked("cost")) {
    commands.costFlags().addFlags(cost);
    commands
      .commentFlags()
      .addCommentCommand(cost, (forge, options) =>
        run(options, (io) => commands.comment().runComment(forge, options, pulumiFlags, io)),
      );
  }
  addCommonFlags(cost).action((options: CostFlags.CostOptions) => {
    if (options.preview.length > 0 && pulumiFlags.length > 0)
      cost.error("error: flags after -- go to pulumi, but --preview does not run pulumi: leave one of them out");
    return run(options, (io) => commands.cost().runCost(options, pulumiFlags, io));
  });

  const doctor = program
    .command("doctor")
    .description("Show which API key and base URL are in use, where they are set, and what the key may do.")
    .addOption(stackOption("Read the configuration of this stack. (default: the selected one)"))
    .addOption(
      new Option("--format <format>", "Print the report in this format.").choices(["text", "json"]).default("text"),
    )
    .option("--forget <entry...>", "Remove these entries from the journal, after you have dealt with them.");
  addCommonFlags(addOutputFlag(doctor)).action((options: Doctor.DoctorOptions) =>
    run(options, async (io) => {
      return (await commands.doctor().runDoctor(options, io)) ? exitCodes.fine : exitCodes.error;
    }),
  );

  const plugin = program.command("plugin").description("Install the provider for programs in other languages.");
  plugin
    .command("install")
    .description("Put the plugin where Pulumi finds it: in PULUMI_HOME, or in .pulumi in your home folder.")
    .action(() => run({}, (io) => Promise.resolve(commands.plugin().installPlugin(io))));

  const rotate = program
    .command("rotate")
    .description("List the API keys of a stack that are due for rotation, or the clients that use replaced keys.");
  if (isAsked("rotate")) commands.rotateFlags().addFlags(rotate);
  addCommonFlags(rotate).action((options: RotateFlags.RotateOptions) => {
    if (!options.check && !options.audit) rotate.error("error: give --check or --audit");
    return run(options, (io) => commands.rotate().runRotate(options, io));
  });

  const simulator = program
    .command("simulator")
    .description("Run the API on this machine, to try everything without an account.");
  // Loading its flags loads the server.
  if (isAsked("simulator")) commands.simulator().addFlags(simulator);
  simulator.action(async (options: SimulatorOptions) => {
    const fault = await commands.simulator().run(options, io);
    if (fault === undefined) return;
    io.stderr.write(`error: ${fault.message}\n`);
    exitCode = fault.isUsage ? exitCodes.wrongUsage : exitCodes.error;
  });

  program
    .command("completion")
    .description("Print a script that lets a shell complete commands and flags.")
    .addArgument(new Argument("<shell>", "The shell.").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", "\nFor bash: source <(cloudinfra completion bash)")
    .action((shell: Completion.Shell) => {
      io.stdout.write(commands.completion().completionScript(program, shell));
    });

  try {
    await program.parseAsync(own, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUsage;
    throw error;
  }
}

/** `cost` passes the flags after `--` on to Pulumi. The other commands refuse `--`. */
function atDoubleDash(argv: readonly string[]): readonly [readonly string[], readonly string[]] {
  const end = commandOf(argv) === "cost" ? argv.indexOf("--") : -1;
  return end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
}

/** The first word that is neither a flag of `cloudinfra` itself nor its value. */
function commandOf([first, ...rest]: readonly string[]): string | undefined {
  if (first === "-C" || first === "--cwd") return commandOf(rest.slice(1));
  return first?.startsWith("-") === true && first !== "--" ? commandOf(rest) : first;
}

/**
 * Each command is loaded when it runs: `doctor` and `--help` need no server. By `require`, because `import()` in CommonJS uses
 * the ES module loader, which needs file extensions.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- see above */
const commands = {
  comment: () => require("./cost/comment/comment") as typeof Comment,
  commentFlags: () => require("./cost/comment/options") as typeof CommentFlags,
  completion: () => require("./completion") as typeof Completion,
  cost: () => require("./cost/cost") as typeof Cost,
  costFlags: () => require("./cost/options") as typeof CostFlags,
  doctor: () => require("./doctor/doctor") as typeof Doctor,
  plugin: () => require("./plugin/install") as typeof Plugin,
  rotate: () => require("./rotate/rotate") as typeof Rotate,
  rotateFlags: () => require("./rotate/options") as typeof RotateFlags,
  simulator: () => require("./simulator-command") as typeof Simulator,
};
/* eslint-enable @typescript-eslint/no-require-imports */
