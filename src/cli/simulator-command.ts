import type { Command } from "commander";
import type * as Simulator from "../simulator";
import type * as Options from "../simulator/options";
import { addExamples, addExitCodes, type RunCommand } from "./command-flags";
import { CommandFailure } from "./command-failure";
import { exitCodes } from "./exit-codes";
import { rejectListening, type CliIo } from "./io";
import { untilStopped } from "./signals";

/** Adds `cloudinfra simulator`. Each flag, in camelCase, is an option of `startSimulator`. */
export function addSimulatorCommand(program: Command, run: RunCommand): void {
  const simulator = program
    .command("simulator")
    .description("Run the API on this machine, to try everything without an account.")
    .option("--port <port>", "Serve the API at this port; 0 means a free one. (default: 0)")
    .option("--host <address>", "Serve the API at this address. (default: 127.0.0.1)")
    .option("--api-key <key>", "Use this as the owner's API key. (default: a new one)")
    .option("--operation-time <duration>", 'Let each operation take this long, such as "0" or "1s". (default: 100ms)')
    .option("--latency <duration>", "Delay each answer by this long. (default: 0)")
    .option(
      "--lag <kinds>",
      "Show new objects, lists and audit logs this late, such as reads=3s,lists=15s,audit=5s. (default: at once)",
    )
    .option(
      "--rate-limit <n>",
      "Accept this many requests a second for each key; answer the others with 429. (default: no limit)",
    )
    .option(
      "--dialect <dialect>",
      "Use these field names: spec, or nirvana as the public service does. (default: spec)",
    )
    .option("--control-port <port>", "Serve the control API at this port; 0 means a free one. (default: 0)")
    .action((options: Options.SimulatorOptions) => run({}, (io) => runSimulator(options, io)));
  addExitCodes(simulator);
  addExamples(
    simulator,
    "cloudinfra simulator --port 4010 --api-key try-it",
    "cloudinfra simulator --operation-time 1s --lag reads=3s,lists=15s",
  );
}

/**
 * Runs a simulator until SIGINT or SIGTERM. The first line on stdout is JSON with everything that a client needs. Only
 * this line has the owner's key. Rejects with CommandFailure if the user can correct the reason.
 */
export async function runSimulator(
  options: Options.SimulatorOptions,
  { stdout, signal }: Pick<CliIo, "stdout" | "signal">,
): Promise<number> {
  const { startSimulator } = require("../simulator") as typeof Simulator;
  const { SimulatorOptionError } = require("../simulator/options") as typeof Options;
  const stopped = untilStopped(signal);
  const simulator = await startSimulator(options).catch((error: unknown) => {
    if (!(error instanceof SimulatorOptionError)) return rejectListening(error);
    // `operationTime must be …` becomes `--operation-time must be …`.
    const flag = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    throw new CommandFailure(error.message.replace(/^\w+/, flag), { exitCode: exitCodes.wrongUsage });
  });
  const { url, apiKey, projectId, region, vpcId, controlUrl } = simulator;
  stdout.write(`${JSON.stringify({ url, apiKey, projectId, region, vpcId, controlUrl })}\n`);
  await stopped;
  await simulator.close();
  return exitCodes.fine;
}
