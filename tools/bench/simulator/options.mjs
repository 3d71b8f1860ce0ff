import { parseArgs } from "node:util";

/** An option that cannot be used; the message names it as the caller wrote it. */
export class BenchOptionError extends Error {}

/** Each with its default, the least that it can be, and whether it may have a fraction. */
const NUMBERS = {
  resources: { default: "100000", least: 10 },
  rounds: { default: "5", least: 1 },
  seconds: { default: "3", least: 0.01, fraction: true },
  concurrency: { default: "64", least: 1 },
};

/** The options of the command line, as numbers. Throws a BenchOptionError for the first that cannot be used. */
export function readOptions() {
  const options = Object.fromEntries(
    Object.entries(NUMBERS).map(([name, number]) => [name, { type: "string", default: number.default }]),
  );
  const { values } = parseArgs({ options: { ...options, json: { type: "boolean", default: false } } });
  for (const [name, { least, fraction }] of Object.entries(NUMBERS)) {
    const number = Number(values[name]);
    if (number >= least && Number.isFinite(number) && (fraction || Number.isInteger(number))) {
      values[name] = number;
      continue;
    }
    const kind = fraction ? "number" : "whole number";
    throw new BenchOptionError(`--${name} must be a ${kind} of at least ${least}, not "${values[name]}"`);
  }
  return values;
}
