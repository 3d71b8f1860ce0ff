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
  endQuietly();
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

/**
 * Ends a process without a stack trace if its output cannot be written. If the reader has closed the pipe, the exit code is that of
 * the command. A full disk is an error, because the report is lost.
 */
function endQuietly(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    process.stderr.write(`error: Standard output cannot be written: ${fileFault(error)}.\n`);
    // Set at the exit, because the command sets its own code later.
    process.once("exit", () => (process.exitCode = exitCodes.error));
  });
  // Ignored, because the error cannot be printed either.
  process.stderr.on("error", () => undefined);
}

/** Why a file cannot be read or written, in words. `missing`: what does not exist. */
export function fileFault(error: unknown, missing = "folder"): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const words: Readonly<Record<string, string>> = {
    ENOSPC: "no space is left on the disk",
    EDQUOT: "the disk quota is used up",
    EACCES: "permission denied",
    EROFS: "the disk is read-only",
    EISDIR: "it is a folder",
    ENOENT: `there is no such ${missing}`,
  };
  return words[code ?? ""] ?? code ?? message;
}

const TICK_MS = 1_000;
/** Returns to the beginning of the line and clears it. */
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows on stderr what the command is waiting for. On a terminal, a line counts the seconds and disappears at the end. Otherwise, it
 * prints one line at the start.
 */
export async function withProgress<T>(
  activity: string,
  io: Pick<CliIo, "stderr" | "environment" | "clock">,
  work: () => Promise<T>,
): Promise<T> {
  const { stderr, environment, clock } = io;
  // A line is rewritten on a terminal only, and not if a log keeps the text.
  if (stderr.isTTY !== true || environment["CI"]) {
    stderr.write(`${activity}\n`);
    return work();
  }
  const done = new AbortController();
  const start = clock.now();
  const tick = async (): Promise<void> => {
    for (;;) {
      stderr.write(`${CLEAR_LINE}${activity} ${Math.floor((clock.now() - start) / TICK_MS)}s`);
      await clock.sleep(TICK_MS, done.signal);
    }
  };
  tick().catch(() => undefined);
  try {
    return await work();
  } finally {
    done.abort();
    stderr.write(CLEAR_LINE);
  }
}
