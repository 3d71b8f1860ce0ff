import { statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InvalidArgumentError, Option, type Command } from "commander";
import { CommandFailure } from "./command-failure";
import { fileFault } from "../text/file-fault";
import type { CliIo } from "./io";

export interface CommonOptions {
  readonly cwd?: string;
  /** False with `--no-color`. */
  readonly color?: boolean;
}

export interface OutputOption {
  readonly output?: string;
}

/**
 * Runs the work of a command with the common flags applied, and keeps its exit code. A command loads the modules of its
 * work only then, because `--help`, for example, needs no server. It uses `require`, because `import()` in CommonJS
 * uses the ES module loader, which needs file extensions.
 */
export type RunCommand = (options: CommonOptions & OutputOption, work: (io: CliIo) => Promise<number>) => Promise<void>;

/** Gives a command `--cwd` and `--no-color`. */
export function addCommonFlags(command: Command): Command {
  return command
    .option("-C, --cwd <folder>", "Run as if started in this folder.")
    .option("--no-color", "Print no colors and no symbols (as the environment variable NO_COLOR does).");
}

/** Ends the help of a command with its exit codes: the common ones, and `more`. */
export function addExitCodes(command: Command, ...more: readonly string[]): Command {
  return command.addHelpText("after", `\nExit codes: ${["0 fine", "1 error", "2 wrong usage", ...more].join(", ")}.`);
}

/** Ends the help of a command with lines to copy. */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText("after", `\nExamples:\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

export function stackOption(description: string): Option {
  return new Option("-s, --stack <name>", description).argParser(filledText);
}

/** Reads a flag that may be repeated. */
export function collectFlag(text: string, before: readonly string[]): readonly string[] {
  return [...before, filledText(text)];
}

function filledText(text: string): string {
  if (text.trim() === "")
    throw new InvalidArgumentError("It is empty. Perhaps the variable that it comes from is not set.");
  return text;
}

/** Reads a flag that is a whole number from one to another. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
  };
}

export function addOutputFlag(command: Command): Command {
  return command.option(
    "-o, --output <file>",
    "Write the report to this file, and nothing to standard output.",
    fileName,
  );
}

/** Applies the common flags to the process that a command sees. Throws CommandFailure. */
export function ioOf(io: CliIo, { cwd, color }: CommonOptions): CliIo {
  const folder = resolve(io.cwd, cwd ?? "");
  if (cwd !== undefined && !isFolder(folder))
    throw new CommandFailure(`There is no folder ${cwd}. Give --cwd a folder that exists.`);
  return {
    ...io,
    cwd: folder,
    ...(color === false && { environment: { ...io.environment, NO_COLOR: "1" } }),
  };
}

/**
 * Runs a command and writes its output to a file when it has ended. If the command prints nothing, the file stays as it
 * is. Rejects with CommandFailure.
 */
export async function withOutput(
  io: CliIo,
  { output }: OutputOption,
  run: (io: CliIo) => Promise<number>,
): Promise<number> {
  if (output === undefined) return run(io);
  const file = resolve(io.cwd, output);
  if (!isFolder(dirname(file)))
    throw new CommandFailure(`${output} cannot be written: there is no such folder. Nothing was run.`);
  const texts: string[] = [];
  const code = await run({ ...io, stdout: { write: (text) => texts.push(text) } });
  try {
    if (texts.length > 0) await writeFile(file, texts.join(""));
    return code;
  } catch (error) {
    throw new CommandFailure(`${output} cannot be written: ${fileFault(error)}.`, { cause: error });
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function fileName(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must be the name of a file.");
  return text;
}
