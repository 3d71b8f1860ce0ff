import { systemClock, type Clock } from "../clock";
import type { Environment } from "../config";
import { fitForTerminal } from "../shown-text";
import { endQuietly } from "./process-streams";

/** A stream that a command writes to. */
export interface CliStream {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  /** The width of the terminal, where it is one. */
  readonly columns?: number | undefined;
}

/** What a command touches of its process, so that tests can stand in for it. */
export interface CliIo {
  readonly stdout: CliStream;
  readonly stderr: CliStream;
  readonly environment: Environment;
  readonly cwd: string;
  readonly clock: Clock;
  /** Read by a command that is told to, and by no other. */
  readonly stdin?: AsyncIterable<string | Uint8Array>;
  /** Ends a command that runs until it is told to stop, in place of SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
}

/** The same, with output that is fit for a terminal, whatever the service has put into its texts. */
export function fitIo(io: CliIo): CliIo {
  // What is looked at opens standard input, so nothing is copied.
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
    // Looking at it opens it.
    get stdin() {
      return process.stdin;
    },
  };
}
