import { setFlagsFromString } from "node:v8";
import { startSimulator, type SimulatorOptions } from "./index";

/** A flag of `cloudinfra simulator`, in the words of a command-line parser; its value belongs into SimulatorOptions. */
export interface SimulatorFlag {
  readonly flags: string;
  readonly description: string;
}

/** The flags of `cloudinfra simulator`; each, in camelCase, is an option of `startSimulator`. */
export const simulatorFlags: readonly SimulatorFlag[] = [
  { flags: "--port <port>", description: "port of the API; 0: a free one (default: 0)" },
  { flags: "--host <address>", description: "address that the API listens on (default: 127.0.0.1)" },
  { flags: "--api-key <key>", description: "the owner's API key (default: a new one)" },
  {
    flags: "--operation-time <duration>",
    description: 'how long operations take: "0", "100ms", "1s" (default: 100ms)',
  },
  { flags: "--latency <duration>", description: "what every answer is held back (default: 0)" },
  {
    flags: "--lag <kinds>",
    description: 'how late new objects, lists and audit logs show: "reads=3s,lists=15s,audit=5s" (default: at once)',
  },
  {
    flags: "--rate-limit <n>",
    description: "requests a second for each key, above which the answer is 429 (default: no limit)",
  },
  { flags: "--dialect <dialect>", description: "spec, or nirvana for the public service's names (default: spec)" },
  { flags: "--control-port <port>", description: "port of the control listener; 0: a free one (default: 0)" },
];

/** What the command touches of its process. */
export interface SimulatorIo {
  readonly stdout: { write(text: string): unknown };
  /** Ends the run, in place of SIGINT and SIGTERM. */
  readonly signal?: AbortSignal;
}

/**
 * Settings of V8 for a process that holds what it is given: garbage is collected when it has come to a third of that, and not when
 * it is as much, and the young generation stays as small as it is. Measured in docs/performance.md.
 */
const SPARING = ["--semi-space-growth-factor=1", "--heap-growing-percent=30"];

/**
 * Runs a simulator until SIGINT or SIGTERM. The first line on stdout is JSON with what a client needs; the owner key is
 * in it, and nowhere else. Rejects as `startSimulator` does.
 */
export async function runSimulator(options: SimulatorOptions, io: SimulatorIo = process): Promise<void> {
  // Without a signal of the caller's, the process is the command's own.
  if (!io.signal) SPARING.forEach(setFlagsFromString);
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
