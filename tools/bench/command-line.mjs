import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { readCommandLine } from "../help.mjs";

/** The options of a bench. `defaults` has the default of each, or undefined. All values are texts. */
export function readOptions(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    { type: "string", ...(value !== undefined && { default: value }) },
  ]);
  return readCommandLine("bench", Object.fromEntries(options));
}

/** Parses whole numbers of at least 1, separated by commas. Ends the process with one sentence for anything else. */
export function counts(option, text) {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= 1)) return numbers;
  return refuse(`--${option} takes whole numbers from 1 on, such as 10 or 10,100, not "${text}".`);
}

/** Parses one whole number of at least 1. */
export function count(option, text) {
  const [number, ...others] = counts(option, text);
  return others.length === 0 ? number : refuse(`--${option} takes one number, not "${text}".`);
}

/**
 * The options of a bench of the engine, and what follows from those that all of them have: the settings of the runs
 * (the simulator's times, and how many operations the engine runs at once), the engine's flags, and the file for the
 * result.
 */
export function readEngineOptions(defaults) {
  const common = { "operation-time": "1s", latency: "20ms", parallel: undefined, json: undefined };
  const options = readOptions({ ...defaults, ...common });
  const { "operation-time": operationTime, latency, json } = options;
  const parallel = options.parallel === undefined ? enginesParallelism() : count("parallel", options.parallel);
  const flags = options.parallel === undefined ? [] : ["--parallel", String(parallel)];
  return { options, settings: { operationTime, latency, parallel }, flags, json };
}

/** The command that repeats the measurement, without its `--json` option. */
export function commandGiven(name, args = process.argv.slice(2)) {
  const kept = args.filter((arg, i) => !arg.startsWith("--json") && args[i - 1] !== "--json");
  return ["npm run bench --", name, ...kept].join(" ");
}

function refuse(sentence) {
  console.error(sentence);
  return process.exit(2);
}

/**
 * The machine and the versions of a measurement, for its result. `load` is the average number of runnable processes in
 * the minute before: above 0.5 the machine was busy. Pulumi must be on PATH.
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

/** The engine's default number of concurrent operations: four for each core. */
function enginesParallelism(env = process.env) {
  return Number(env.PULUMI_PARALLEL) || 4 * availableParallelism();
}
