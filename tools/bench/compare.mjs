// This package beside the engine's floor and a plain dynamic provider: `npm run bench -- [--resources 10,100,1000]
// [--runs 5,5,1] [--plain-up-to 1000] [--operation-time 1s] [--latency 20ms] [--parallel <n>] [--json <file>]`.
// engine-bench.mjs describes the JSON. Each size also has   stateBytes: { [program]: { largest, mean } }           of a
// resource, as compact JSON
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { count, counts, readEngineOptions } from "./command-line.mjs";
import { runBench } from "./engine-bench.mjs";
import { MeasuredStack } from "./measured-stack.mjs";

const require = createRequire(import.meta.url);
const { outputNames } = require("../../dist/definition/definition.js");
const { firewallRule } = require("../../dist/resources/firewall-rule.js");

/** The programs are JavaScript, with Pulumi's TypeScript off, so they load no compiler. */
const NODE_OPTIONS = `--require ${JSON.stringify(join(ROOT, "tools", "pulumi", "without-typescript.cjs"))}`;

/** The programs to measure, in `programs/`. */
const PROGRAMS = ["package", "floor", "plain"];

/** With more resources than this, a round takes many minutes. */
const LARGE = 500;
/** The usual time of a run, and for each of its resources, for the progress. */
const [RUN_MS, RESOURCE_MS] = [4000, 60];

const { options, ...how } = readEngineOptions({
  resources: "10,100,1000",
  runs: undefined,
  // Its state is five times as large, and the engine writes all of it after each step. With 1,000 resources that takes
  // a quarter of an hour.
  "plain-up-to": "1000",
});
const runs = options.runs === undefined ? undefined : counts("runs", options.runs);
const plainUpTo = count("plain-up-to", options["plain-up-to"]);
const sizes = counts("resources", options.resources).map((resources, i) => ({
  title: `${resources} firewall rules`,
  runs: runs ? (runs[i] ?? runs.at(-1)) : resources < LARGE ? 5 : 1,
  runMs: RUN_MS + resources * RESOURCE_MS,
  programs: PROGRAMS.filter((program) => program !== "plain" || resources <= plainUpTo),
  open: (program) => MeasuredStack.start(program, { settings: how.settings, env: { NODE_OPTIONS } }),
  declare: (stack, phase) => {
    const declared = rules(resources, stack.simulator, { changed: phase === "one-change preview" });
    stack.declare(stack.name === "floor" ? withOutputs(declared) : declared);
  },
  summarize: (rounds) => ({ stateBytes: stateBytesOf(rounds) }),
}));
await runBench({ name: "compare", ...how, sizes });

/** The firewall rules of one VPC, by name. `changed`: one of them has other ports. */
function rules(count, { vpcId }, { changed }) {
  const argsOf = (i) => ({
    vpcId,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: [changed && i === 0 ? "443" : String(1000 + i)],
  });
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`rule-${i}`, argsOf(i)]));
}

/** The rules with the outputs that this package declares, without a value. Pulumi's SDK takes stack traces for each. */
function withOutputs(rules) {
  const outputs = Object.fromEntries([...outputNames(firewallRule), "cost"].map((name) => [name, null]));
  return Object.fromEntries(Object.entries(rules).map(([name, args]) => [name, { ...outputs, ...args }]));
}

function stateBytesOf(rounds) {
  const sizesOf = (program) =>
    rounds.flatMap(({ states }) => states[program].map((resource) => Buffer.byteLength(JSON.stringify(resource))));
  const summaryOf = (bytes) => ({
    largest: Math.max(...bytes),
    mean: Math.round(bytes.reduce((a, b) => a + b, 0) / bytes.length),
  });
  return Object.fromEntries(Object.keys(rounds[0].states).map((program) => [program, summaryOf(sizesOf(program))]));
}
