import type { Command } from "commander";
import { runSimulator, simulatorFlags } from "../simulator/cli";
import { SimulatorOptionError, type SimulatorOptions } from "../simulator/options";
import type { CliIo } from "./io";

/** Why the simulator did not run. */
export interface SimulatorFault {
  readonly message: string;
  /** Whether the command line was wrong, not the machine. */
  readonly isUsage: boolean;
}

/** Gives the command the flags that the simulator has. */
export function addFlags(command: Command): void {
  for (const { flags, description } of simulatorFlags) command.option(flags, description);
}

/** Runs until it is told to stop. Resolves with a fault that the user can correct. */
export async function run(options: SimulatorOptions, { stdout, signal }: CliIo): Promise<SimulatorFault | undefined> {
  try {
    await runSimulator(options, signal ? { stdout, signal } : { stdout });
    return undefined;
  } catch (error) {
    const fault = faultOf(error);
    if (fault) return fault;
    throw error;
  }
}

function faultOf(error: unknown): SimulatorFault | undefined {
  if (error instanceof SimulatorOptionError) return { message: asFlag(error.message), isUsage: true };
  // By its members: a system error may be of another realm's class.
  const { code, address, port } = Object(error) as { code?: unknown; address?: string; port?: number };
  const listenAddress = [address ?? "the host", ...(port ? [port] : [])].join(":");
  switch (code) {
    case "EADDRINUSE":
      return { message: `${listenAddress} is in use. Choose another port, or 0 for a free one.`, isUsage: false };
    case "EADDRNOTAVAIL":
      return { message: `${listenAddress} is not an address of this machine. Choose another --host.`, isUsage: false };
    case "EACCES":
      return { message: `${listenAddress} may not be used by this user. Choose a port above 1023.`, isUsage: false };
    default:
      return undefined;
  }
}

/** `operationTime must be …` in the words of the command line: `--operation-time must be …`. */
function asFlag(message: string): string {
  return message.replace(/^\w+/, (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}
