import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text as textOf } from "node:stream/consumers";
import { styleText } from "node:util";
import type { z } from "zod";
import { systemClock, type Clock } from "../time/clock";
import type { Environment } from "../process/user-folders";
import { fileFault } from "../text/file-fault";
import { parseJson } from "../text/json";
import { redactedForTerminal } from "../text/redaction";
import { CommandFailure } from "./command-failure";
import { exitCodes } from "./exit-codes";

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
export function redactedStream(stream: CliStream): CliStream {
  const { isTTY, columns } = stream;
  return { isTTY, columns, write: (text) => stream.write(redactedForTerminal(text)) };
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

export type Color = "red" | "yellow" | "green";

/** Colours a text of a report, unless reports are plain. */
export function painterOf(io: CliIo): (colour: Color, text: string) => string {
  if (isPlainOutput(io)) return (_colour, text) => text;
  return (colour, text) => styleText(colour, text, { validateStream: false });
}

/**
 * Ends a process without a stack trace if its output cannot be written. If the reader has closed the pipe, the exit
 * code is that of the command. A full disk is an error, because the report is lost.
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

/** Throws CommandFailure if the user can correct why a server cannot listen, otherwise the error. */
export function rejectListening(error: unknown): never {
  // Recognized by its members, because a system error may have the class of another realm.
  const { code, address, port } = Object(error) as { code?: unknown; address?: string; port?: number };
  const listenAddress = [address ?? "the host", ...(port ? [port] : [])].join(":");
  const faults: Readonly<Record<string, string>> = {
    EADDRINUSE: "is in use. Choose another port, or 0 for a free one.",
    EADDRNOTAVAIL: "is not an address of this machine. Choose another --host.",
    EACCES: "may not be used by this user. Choose a port above 1023.",
  };
  const fault = faults[String(code)];
  throw fault === undefined ? error : new CommandFailure(`${listenAddress} ${fault}`, { cause: error });
}

const TICK_MS = 1_000;
/** Returns to the beginning of the line and clears it. */
const CLEAR_LINE = "\r\u001b[2K";

/**
 * Shows on stderr what the command is waiting for. On a terminal, a line counts the seconds and disappears at the end.
 * Otherwise, it prints one line at the start.
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

export interface Input {
  readonly text: string;
  readonly source: string;
}

/** The text of a file, or of standard input for `-`. Rejects with CommandFailure. */
export async function readInput(file: string, { cwd, stdin }: CliIo): Promise<Input> {
  if (file === "-") return { text: stdin ? await textOf(stdin()) : "", source: "Standard input" };
  try {
    return { text: await readFile(resolve(cwd, file), "utf8"), source: file };
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${fileFault(error, "file")}.`);
  }
}

/** Parses the JSON that a command has printed. Throws CommandFailure for any other text. */
export function documentIn<T>({ text, source }: Input, shape: z.ZodType<T>, noun: string, printedBy: string): T {
  const advice = `A ${noun} is what \`${printedBy}\` prints.`;
  const json = parseJson(text);
  if (json === undefined) throw new CommandFailure(`${source} is not JSON. ${advice}`);
  const read = shape.safeParse(json);
  if (read.success) return read.data;
  throw new CommandFailure(`${source} holds no ${noun}. ${advice}`);
}

/** Asks the user to type `yes`. Rejects with CommandFailure and the advice if there is no terminal. */
export async function confirmed(question: string, advice: string, { stdin: open, stderr }: CliIo): Promise<boolean> {
  const stdin = open?.();
  if (stdin?.isTTY !== true) {
    throw new CommandFailure(`There is no terminal to ask for a confirmation. Nothing was deleted. ${advice}`);
  }
  stderr.write(`${question} Type yes: `);
  let typed = "";
  for await (const part of stdin) {
    typed += typeof part === "string" ? part : Buffer.from(part).toString("utf8");
    if (typed.includes("\n")) break;
  }
  return typed.trim() === "yes";
}
