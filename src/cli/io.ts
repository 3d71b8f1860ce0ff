import { systemClock, type Clock } from "../clock";
import type { Environment } from "../config";
import { fitForTerminal } from "../shown-text";
import { endQuietly } from "./process-streams";

/** A stream that a command writes to. */
export interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal, if it is one. */
  readonly columns?: number | undefined;
}

/** The parts of its process that a command uses, so that tests can replace them. */
export interface CliIo {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  readonly environment: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  /** Only a command that is told to reads it. */
  readonly stdin?: AsyncIterable<string | Uint8Array>;
  /** Stops a command that would otherwise run until SIGINT or SIGTERM. */
  readonly signal?: AbortSignal;
}

/** The same, with output that is safe for a terminal. */
export function fitIo(io: CliIo): CliIo {
  // Not a copy: reading the property stdin opens standard input.
  return Object.create(io, {
    stdout: { value: fitStream(io.stdout) },
    stderr: { value: fitStream(io.stderr) },
  }) as CliIo;
}

function fitStream(stream: CliStream): CliStream {
  return Object.create(stream, {
    write: { value: (text: string) => stream.write(fitForTerminal(text)) },
  }) as CliStream;
}

/** The process itself. */
export function processIo(): CliIo {
  endQuietly(process);
  return {
    stdout: process.stdout,
    stderr: process.stderr,
    environment: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    // Reading the property opens it.
    get stdin() {
      return process.stdin;
    },
  };
}
