import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/**
 * What a measurement is made on and with: it stands in each result. `load` is the average number of processes that wanted to run in the
 * minute before: above 0.5 the machine was not quiet. Pulumi has to be on PATH.
 */
export function machine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    cores: availableParallelism(),
    processor: cpus()[0]?.model ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch}`,
    load: Math.round(10 * loadavg()[0]) / 10,
    node: process.versions.node,
    engine: execFileSync("pulumi", ["version"], { encoding: "utf8" }).trim().replace(/^v/, ""),
  };
}

/** How many operations the engine runs at a time if it is not told: four for each core. */
export function enginesParallelism(env = process.env) {
  return Number(env.PULUMI_PARALLEL) || 4 * availableParallelism();
}

/** A machine in one line. */
export function machineInWords({ date, cores, processor, memoryGb, system, load, node, engine }) {
  const hardware = `${cores} cores (${processor}), ${memoryGb} GB, ${system}, load ${load} before`;
  return `${date}, ${hardware}, Node ${node}, Pulumi ${engine}`;
}
