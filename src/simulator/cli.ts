import { startSimulator, type SimulatorOptions } from ".";

/** A flag of `cloudinfra simulator`, as commander reads it. Its value becomes a member of SimulatorOptions. */
export interface SimulatorFlag {
  readonly flags: string;
  readonly description: string;
}

/** The flags of `cloudinfra simulator`; each, in camelCase, is an option of `startSimulator`. */
export const simulatorFlags: readonly SimulatorFlag[] = [
  { flags: "--port <port>", description: "Serve the API at this port; 0 means a free one. (default: 0)" },
  { flags: "--host <address>", description: "Serve the API at this address. (default: 127.0.0.1)" },
  { flags: "--api-key <key>", description: "Use this as the owner's API key. (default: a new one)" },
  {
    flags: "--operation-time <duration>",
    description: 'Let each operation take this long, such as "0" or "1s". (default: 100ms)',
  },
  { flags: "--latency <duration>", description: "Delay each answer by this long. (default: 0)" },
  {
    flags: "--lag <kinds>",
    description: 'Show new objects, lists and audit logs this late: "reads=3s,lists=15s,audit=5s". (default: at once)',
  },
  {
    flags: "--rate-limit <n>",
    description: "Accept this many requests a second for each key; answer the others with 429. (default: no limit)",
  },
  {
    flags: "--dialect <dialect>",
    description: "Use these field names: spec, or nirvana as the public service does. (default: spec)",
  },
  {
    flags: "--control-port <port>",
    description: "Serve the control API at this port; 0 means a free one. (default: 0)",
  },
];

/** The parts of its process that the command uses. */
export interface SimulatorIo {
  readonly stdout: { write(text: string): unknown };
  /** Ends the run, in place of SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
}

/**
 * Runs a simulator until SIGINT or SIGTERM. The first line on stdout is JSON: all that a client needs. Only this line has the
 * owner's key. Rejects as `startSimulator` does.
 */
export async function runSimulator(options: SimulatorOptions, io: SimulatorIo = process): Promise<void> {
  const stopped = io.signal ? aborted(io.signal) : interrupted();
  const simulator = await startSimulator(options);
  const { url, apiKey, projectId, region, vpcId, controlUrl } = simulator;
  io.stdout.write(`${JSON.stringify({ url, apiKey, projectId, region, vpcId, controlUrl })}\n`);
  await stopped;
  await simulator.close();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else
      signal.addEventListener(
        "abort",
        () => {
          resolve();
        },
        { once: true },
      );
  });
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off("SIGINT", stop).off("SIGTERM", stop);
      resolve();
    };
    process.on("SIGINT", stop).on("SIGTERM", stop);
  });
}
