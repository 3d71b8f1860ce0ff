import { systemClock, type Clock } from "../clock";
import type { Environment } from "../config";

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

/** The process itself. */
export function processIo(): CliIo {
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
