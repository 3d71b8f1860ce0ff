import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { readCommandLine } from "../help.mjs";

/** The options of a bench: `defaults` gives each with its default, undefined for none; all are texts. */
export function readOptions(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    { type: "string", ...(value !== undefined && { default: value }) },
  ]);
  return readCommandLine("bench", Object.fromEntries(options));
}

/** Whole numbers of at least 1, separated by commas. Ends the process with a sentence for anything else. */
export function counts(option, text) {
  const numbers = text.split(",").map(Number);
  if (numbers.every((number) => Number.isSafeInteger(number) && number >= 1)) return numbers;
  return refuse(`--${option} takes whole numbers from 1 on, such as 10 or 10,100, not "${text}".`);
}

/** One whole number of at least 1. */
export function count(option, text) {
  const [number, ...others] = counts(option, text);
  return others.length === 0 ? number : refuse(`--${option} takes one number, not "${text}".`);
}

/** What runs are made with: the simulator's times, and how many operations the engine runs at a time. */
export function runSettings({ "operation-time": operationTime, latency, parallel }) {
  return {
    operationTime,
    latency,
    parallel: parallel === undefined ? enginesParallelism() : count("parallel", parallel),
  };
}

/** The command that repeats the measurement, without the file of its result. */
export function commandGiven(name, args = process.argv.slice(2)) {
  const kept = args.filter((arg, i) => !arg.startsWith("--json") && args[i - 1] !== "--json");
  const words = [...(name ? [name] : []), ...kept];
  return ["npm run bench", ...(words.length > 0 ? ["--", ...words] : [])].join(" ");
}

function refuse(sentence) {
  console.error(sentence);
  return process.exit(2);
}

/**
 * The machine and the versions of a measurement, for its result. `load` is the average number of processes that wanted to run in the
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
function enginesParallelism(env = process.env) {
  return Number(env.PULUMI_PARALLEL) || 4 * availableParallelism();
}
