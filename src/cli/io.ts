import { styleText } from "node:util";
import { systemClock, type Clock } from "../process/clock";
import type { Environment } from "../process/user-folders";
import { fitForTerminal } from "../text/shown-text";
import { exitCodes } from "./command-failure";

interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

/** The parts of its process that a command uses, so that tests can replace them. */
export interface CliIo {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  readonly environment: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  /** Opens standard input. */
  readonly stdin?: () => AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean | undefined };
  /** Stops a command that would otherwise run until SIGINT or SIGTERM. */
  readonly signal?: AbortSignal;
}

/** Makes everything that a command prints safe for a terminal. */
export function fitIo(io: CliIo): CliIo {
  return { ...io, stdout: fitStream(io.stdout), stderr: fitStream(io.stderr) };
}

function fitStream(stream: CliStream): CliStream {
  const { isTTY, columns } = stream;
  return { isTTY, columns, write: (text) => stream.write(fitForTerminal(text)) };
}

export function processIo(): CliIo {
  endQuietly(process);
  const { stdout, stderr, env: environment } = process;
  return { stdout, stderr, environment, cwd: process.cwd(), clock: systemClock, stdin: () => process.stdin };
}

/** True if a report has no colours and symbols. They are for terminals only, and a user can switch them off. */
export function isPlainOutput({ stdout, environment }: CliIo): boolean {
  return stdout.isTTY !== true || Boolean(environment["NO_COLOR"]) || Boolean(environment["CI"]);
}

export type Colour = "red" | "yellow" | "green";

/** Colours a text of a report, unless reports are plain. */
export function painterOf(io: CliIo): (colour: Colour, text: string) => string {
  if (isPlainOutput(io)) return (_colour, text) => text;
  return (colour, text) => styleText(colour, text, { validateStream: false });
}

/** True if a line on stderr can be rewritten: on a terminal, unless a log keeps the text. */
export function rewritesLines({ stderr, environment }: Pick<CliIo, "stderr" | "environment">): boolean {
  return stderr.isTTY === true && !environment["CI"];
}

type Stream = Pick<NodeJS.WriteStream, "on" | "write">;

interface WritingProcess {
  readonly stdout: Stream;
  readonly stderr: Stream;
  exitCode?: string | number | null | undefined;
  once(event: "exit", listener: () => void): unknown;
}

const watched = new WeakSet<WritingProcess>();

/**
 * Ends a process without a stack trace if its output cannot be written. If the reader has closed the pipe, the exit code is that of
 * the command. A full disk is an error, because the report is lost.
 */
function endQuietly(own: WritingProcess): void {
  if (watched.has(own)) return;
  watched.add(own);
  own.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    own.stderr.write(`error: Standard output cannot be written: ${whyNotWritten(error)}.\n`);
    // Set at the exit, because the command sets its own code later.
    own.once("exit", () => (own.exitCode = exitCodes.error));
  });
  // Ignored, because the error cannot be printed either.
  own.stderr.on("error", () => undefined);
}

/** Why a file cannot be written, in words. */
export function whyNotWritten(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOSPC: "no space is left on the disk",
    EDQUOT: "the disk quota is used up",
    EACCES: "permission denied",
    EROFS: "the disk is read-only",
    EISDIR: "it is a folder",
    ENOENT: "there is no such folder",
  };
  return words[code ?? ""] ?? code ?? message;
}
