import { systemClock, type Clock } from "../process/clock";
import type { Environment } from "../process/environment";
import { fitForTerminal } from "../text/shown-text";
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
  /** Opens standard input. */
  readonly stdin?: () => AsyncIterable<string | Uint8Array> & { readonly isTTY?: boolean | undefined };
  /** Stops a command that would otherwise run until SIGINT or SIGTERM. */
  readonly signal?: AbortSignal;
}

/** The same, with output that is safe for a terminal. */
export function fitIo(io: CliIo): CliIo {
  return { ...io, stdout: fitStream(io.stdout), stderr: fitStream(io.stderr) };
}

function fitStream(stream: CliStream): CliStream {
  const { isTTY, columns } = stream;
  return { isTTY, columns, write: (text) => stream.write(fitForTerminal(text)) };
}

/** The process itself. */
export function processIo(): CliIo {
  endQuietly(process);
  const { stdout, stderr, env: environment } = process;
  return { stdout, stderr, environment, cwd: process.cwd(), clock: systemClock, stdin: () => process.stdin };
}
