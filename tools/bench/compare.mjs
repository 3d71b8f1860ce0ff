// This package beside the engine's floor and a plain dynamic provider:
// `npm run bench -- [--resources 10,100,1000] [--runs 5,5,1] [--plain-up-to 1000] [--operation-time 1s] [--latency 20ms]
// [--parallel <n>] [--json <file>]`. summary.mjs describes the JSON, which is written after each size.
import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, counts, machine, readOptions, runSettings } from "./command-line.mjs";
import { MeasuredStack } from "./measured-stack.mjs";
import { present, writeResult } from "./results.mjs";
import { measureRounds, summarize } from "./summary.mjs";

const require = createRequire(import.meta.url);
const { outputNames } = require("../../dist/definition/definition.js");
const { firewallRule } = require("../../dist/resources/firewall-rule.js");

/** The programs are JavaScript, with Pulumi's TypeScript off, so they load no compiler. */
const NODE_OPTIONS = `--require ${JSON.stringify(join(ROOT, "tools", "pulumi", "without-typescript.cjs"))}`;

/** The programs to measure, in `programs/`. */
const PROGRAMS = ["package", "floor", "plain"];

/** The runs of the engine in a round, in order. Before one of them, a rule of the program changes. */
const RUNS = {
  "new preview": { command: "preview" },
  up: { command: "up" },
  "no-change preview": { command: "preview" },
  "one-change preview": { command: "preview", changed: true },
  refresh: { command: "refresh" },
  destroy: { command: "destroy" },
};

/** With more resources than this, a round takes many minutes. */
const LARGE = 500;
/** The usual time of a run, and for each of its resources, for the progress. */
const [RUN_MS, RESOURCE_MS] = [4000, 60];

const options = readOptions({
  resources: "10,100,1000",
  runs: undefined,
  // Its state is five times as large, and the engine writes all of it after each step. With 1,000 resources that takes
  // a quarter of an hour.
  "plain-up-to": "1000",
  "operation-time": "1s",
  latency: "20ms",
  parallel: undefined,
  json: undefined,
});
const runs = options.runs === undefined ? undefined : counts("runs", options.runs);
const plainUpTo = count("plain-up-to", options["plain-up-to"]);
const sizes = counts("resources", options.resources).map((resources, i) => ({
  resources,
  programs: PROGRAMS.filter((program) => program !== "plain" || resources <= plainUpTo),
  runs: runs ? (runs[i] ?? runs.at(-1)) : resources < LARGE ? 5 : 1,
}));
const settings = runSettings(options);
const flags = options.parallel === undefined ? [] : ["--parallel", String(settings.parallel)];

const made = { command: commandGiven(), machine: machine() };
const step = startStep("bench");
step.note(`${settings.parallel} operations at a time${flags.length > 0 ? "" : ", the engine's default"}`);
const measured = [];
const result = () => summarize({ ...made, settings, sizes: measured });
for (const { resources, programs, runs: times } of sizes) {
  const runMs = RUN_MS + resources * RESOURCE_MS;
  const rounds = await measureRounds({ step, times, title: `${resources} resources, `, runMs }, (onRun) =>
    runRound({ resources, settings, flags, programs, onRun }),
  );
  measured.push({ resources, runs: times, rounds });
  if (options.json !== undefined) await writeResult(result(), options.json);
}
step.done("measured");

await present(result(), options.json);

/**
 * Runs one round. New stacks go through all phases. In each phase the programs run in turn, so that a drift of the
 * machine's speed affects all. Resolves with `{ runs: { [phase]: { [program]: run } }, stateBytes: { [program]: bytes
 * of each resource } }`.
 */
async function runRound({ resources, settings, flags = [], programs = PROGRAMS, onRun }) {
  const { operationTime, latency } = settings;
  const stacks = [];
  const runs = {};
  const stateBytes = {};
  try {
    for (const program of programs)
      stacks.push(await MeasuredStack.start(program, { simulator: { operationTime, latency }, env: { NODE_OPTIONS } }));
    for (const [phase, { command, changed = false }] of Object.entries(RUNS)) {
      runs[phase] = {};
      for (const stack of stacks) {
        onRun?.(stack.name, phase);
        const declared = rules(resources, stack.simulator, { changed });
        stack.declare(stack.name === "floor" ? withOutputs(declared) : declared);
        runs[phase][stack.name] = await stack.run(command, flags);
        if (phase === "up") stateBytes[stack.name] = await stack.stateBytes();
      }
    }
  } finally {
    for (const stack of stacks) await stack.close();
  }
  return { runs, stateBytes };
}

/** The firewall rules of one VPC, by name. `changed`: one of them has other ports. */
function rules(count, { vpcId }, { changed = false } = {}) {
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
