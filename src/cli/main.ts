import { Command, CommanderError } from "commander";
import { CloudinfraError } from "../api/errors/cloudinfra-error";
import { version } from "../process/version";
import { wrapped } from "../text/terminal-text";
import { addCommonFlags, addExitCodes, ioOf, withOutput, type RunCommand } from "./command-flags";
import { CommandFailure } from "./command-failure";
import { exitCodes } from "./exit-codes";
import { addCompletionCommand } from "./completion-command";
import { addCostCommand } from "./cost/cost-command";
import { addDoctorCommand } from "./doctor/doctor-command";
import { redactedStream, processIo, type CliIo } from "./io";
import { addPermissionsCommand } from "./permissions/permissions-command";
import { addPluginCommand } from "./plugin-command";
import { addRotateCommand } from "./rotate/rotate-command";
import { addSimulatorCommand } from "./simulator-command";
import { addWithKeyCommand } from "./with-key/with-key-command";

/**
 * The least width of the column of descriptions. On a terminal of 60 columns, the flags would leave only half of that.
 */
const NARROWEST_HELP = 20;
/** The width of a help that is not for a terminal. */
const PIPED_WIDTH = 80;

/**
 * The command line `cloudinfra`. Resolves with the exit code: 0 fine, 1 an error (already printed), 2 wrong usage, or
 * another code of the command. Rejects with an unexpected error.
 */
export async function main(argv: readonly string[], processesIo: CliIo = processIo()): Promise<number> {
  const { stdout, stderr } = processesIo;
  const io = { ...processesIo, stdout: redactedStream(stdout), stderr: redactedStream(stderr) };
  let exitCode: number = exitCodes.fine;
  const program = commandLine(io, async (options, work) => {
    exitCode = await withOutput(ioOf(ioOf(io, program.opts()), options), options, work);
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.fine : exitCodes.wrongUsage;
    if (!(error instanceof CommandFailure || error instanceof CloudinfraError)) throw error;
    io.stderr.write(`error: ${error.message}\n`);
    return error instanceof CommandFailure ? error.exitCode : exitCodes.error;
  }
}

/** The commands and their flags. Parsing rejects with a CommanderError after `--help`, and for wrong usage. */
export function commandLine(io: CliIo, run: RunCommand): Command {
  const program = new Command("cloudinfra")
    .description("The command line of pulumi-cloudinfra.")
    .version(version, "-V, --version", "Print the version of this package.")
    .helpOption("-h, --help", "Print this help.")
    .showHelpAfterError("Try --help.")
    .configureOutput({
      writeOut: (text) => io.stdout.write(wrappedHelp(text, io.stdout.columns ?? PIPED_WIDTH)),
      writeErr: (text) => io.stderr.write(text),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      getOutHelpWidth: () => io.stdout.columns ?? PIPED_WIDTH,
      getErrHelpWidth: () => io.stderr.columns ?? PIPED_WIDTH,
    })
    .configureHelp({
      minWidthToWrap: NARROWEST_HELP,
      styleOptionDescription: withoutQuotes,
      styleArgumentDescription: withoutQuotes,
    })
    .helpCommand("help [command]", "Print the help of a command.")
    // Flags after a command belong to that command: `cost` and `cost comment github` have flags of the same names.
    .enablePositionalOptions()
    .exitOverride();
  addExitCodes(addCommonFlags(program), "or as the command's help says");
  addCostCommand(program, run);
  addDoctorCommand(program, run);
  addPermissionsCommand(program, run);
  addPluginCommand(program, run);
  addRotateCommand(program, run);
  addSimulatorCommand(program, run);
  addWithKeyCommand(program, run);
  addCompletionCommand(program, run);
  return program;
}

/** Wraps a help, but not the examples at its end, because they are lines to copy. */
function wrappedHelp(text: string, width: number): string {
  const [help = "", examples = ""] = text.split(/(?=^Examples:$)/m);
  return wrapped(help, width) + examples;
}

/** Commander quotes choices and defaults. */
function withoutQuotes(description: string): string {
  return description.replace(/\((?:choices|default): .*\)$/, (values) => values.replaceAll('"', ""));
}
