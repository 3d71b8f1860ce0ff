import { Command, CommanderError } from "commander";
import type { SimulatorOptions } from "../simulator/options";
import { version } from "../version";
import type * as Comment from "./cost/comment/comment";
import type * as CommentFlags from "./cost/comment/options";
import type * as Cost from "./cost/cost";
import type * as CostFlags from "./cost/options";
import type * as Doctor from "./doctor/doctor";
import { exitCodes } from "./exit-codes";
import { processIo, type CliIo } from "./io";
import type * as RotateFlags from "./rotate/options";
import type * as Rotate from "./rotate/rotate";
import type * as Simulator from "./simulator-command";

/**
 * The command line `cloudinfra`. Resolves with the exit code: 0 fine, 1 an error that has been printed, 2 wrong usage, and
 * what a command adds to them. Rejects with what nobody foresaw.
 */
export async function main(argv: readonly string[], io: CliIo = processIo()): Promise<number> {
  let exitCode: number = exitCodes.fine;
  const [own, pulumiFlags] = atDoubleDash(argv);
  const program = new Command("cloudinfra")
    .description("The command line of pulumi-cloudinfra.")
    .version(version, "-V, --version", "print the version of this package")
    .helpOption("-h, --help", "print this help")
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
    // What follows a command is its own: `cost` and `cost comment github` have flags of the same names.
    .enablePositionalOptions()
    .exitOverride();

  const cost = program
    .command("cost")
    .description("say what the changes of a stack cost a month, for people, pull requests and machines");
  if (argv.includes("cost")) {
    commands.costFlags().addFlags(cost);
    commands.commentFlags().addCommentCommand(cost, async (options) => {
      exitCode = await commands.comment().runComment(options, pulumiFlags, io);
    });
  }
  cost.action(async (options: CostFlags.CostOptions) => {
    if (options.preview.length > 0 && pulumiFlags.length > 0)
      cost.error("error: what follows -- is for pulumi, which --preview does not run");
    exitCode = await commands.cost().runCost(options, pulumiFlags, io);
  });

  program
    .command("doctor")
    .description("say which API key and base URL are in use, from where, and what the key may do")
    .option("--stack <name>", "the Pulumi stack whose configuration is read (default: the selected one)")
    .action(async (options: Doctor.DoctorOptions) => {
      exitCode = (await commands.doctor().runDoctor(options, io)) ? exitCodes.fine : exitCodes.error;
    });

  const rotate = program
    .command("rotate")
    .description("say which API keys of a stack are due for rotation, and who still uses the replaced ones");
  if (argv.includes("rotate")) commands.rotateFlags().addFlags(rotate);
  rotate.action(async (options: RotateFlags.RotateOptions) => {
    if (!options.check && !options.audit) rotate.error("error: give --check or --audit");
    exitCode = await commands.rotate().runRotate(options, io);
  });

  const simulator = program
    .command("simulator")
    .description("run the API on this machine, to try everything without an account");
  // Its flags stand beside its options, which bring the server with them.
  if (argv.includes("simulator")) commands.simulator().addFlags(simulator);
  simulator.action(async (options: SimulatorOptions) => {
    const fault = await commands.simulator().run(options, io);
    if (fault === undefined) return;
    io.stderr.write(`error: ${fault.message}\n`);
    exitCode = fault.isUsage ? exitCodes.wrongUsage : exitCodes.error;
  });

  try {
    await program.parseAsync(own, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUsage;
    throw error;
  }
}

/** `cost` hands what follows `--` on to Pulumi; to the other commands it means nothing, and they say so. */
function atDoubleDash(argv: readonly string[]): readonly [readonly string[], readonly string[]] {
  const end = argv[0] === "cost" ? argv.indexOf("--") : -1;
  return end < 0 ? [argv, []] : [argv.slice(0, end), argv.slice(end + 1)];
}

/**
 * Each loaded when it runs: `doctor` needs no server, and `--help` neither. By `require`, since CommonJS that says
 * `import()` asks the ES module loader, which wants file extensions.
 */
/* eslint-disable @typescript-eslint/no-require-imports -- see above */
const commands = {
  comment: () => require("./cost/comment/comment") as typeof Comment,
  commentFlags: () => require("./cost/comment/options") as typeof CommentFlags,
  cost: () => require("./cost/cost") as typeof Cost,
  costFlags: () => require("./cost/options") as typeof CostFlags,
  doctor: () => require("./doctor/doctor") as typeof Doctor,
  rotate: () => require("./rotate/rotate") as typeof Rotate,
  rotateFlags: () => require("./rotate/options") as typeof RotateFlags,
  simulator: () => require("./simulator-command") as typeof Simulator,
};
/* eslint-enable @typescript-eslint/no-require-imports */
