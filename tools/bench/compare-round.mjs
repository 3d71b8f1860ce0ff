import { createRequire } from "node:module";
import { join } from "node:path";
import { ROOT } from "../setup/paths.mjs";
import { MeasuredStack } from "./measured-stack.mjs";

const require = createRequire(import.meta.url);
const { outputNames } = require("../../dist/definition/definition.js");
const { firewallRule } = require("../../dist/resources/firewall-rule.js");

/** The programs are JavaScript, with Pulumi's TypeScript off, so they load no compiler. */
const NODE_OPTIONS = `--require ${JSON.stringify(join(ROOT, "tools", "pulumi", "without-typescript.cjs"))}`;

/** The programs to measure, in `programs/`. */
export const PROGRAMS = ["package", "floor", "plain"];

/** The runs of the engine in a round, in order. Before one of them, a rule of the program changes. */
const RUNS = {
  "new preview": { command: "preview" },
  up: { command: "up" },
  "no-change preview": { command: "preview" },
  "one-change preview": { command: "preview", changed: true },
  refresh: { command: "refresh" },
  destroy: { command: "destroy" },
};

/**
 * Runs one round. New stacks go through all phases. In each phase the programs run in turn, so that a drift of the
 * machine's speed affects all. Resolves with `{ runs: { [phase]: { [program]: run } }, stateBytes: { [program]: bytes
 * of each resource } }`.
 */
export async function runRound({ resources, settings, flags = [], programs = PROGRAMS, onRun }) {
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
export function rules(count, { vpcId }, { changed = false } = {}) {
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
