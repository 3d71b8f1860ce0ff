import { readCommandLine } from "../help.mjs";
import { enginesParallelism } from "./machine.mjs";

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

/** The command that was given, as one would give it again; where its result is written does not belong to it. */
export function commandGiven(name, args = process.argv.slice(2)) {
  const kept = args.filter((arg, i) => !arg.startsWith("--json") && args[i - 1] !== "--json");
  const words = [...(name ? [name] : []), ...kept];
  return ["npm run bench", ...(words.length > 0 ? ["--", ...words] : [])].join(" ");
}

function refuse(sentence) {
  console.error(sentence);
  return process.exit(2);
}
