import { parseArgs } from "node:util";
import { LANGUAGES } from "./sdk/generator.mjs";

/** The benches, and what each measures. */
export const BENCHES = {
  compare: "this package beside a plain dynamic provider and an empty one (the default)",
  "landing-zone": "a whole platform beside an empty provider",
  start: "the start of the plugin and of a program",
  docs: "writes the recorded results into docs/performance.md",
  record: "measures everything, and writes it into docs/performance.md",
};

const width = Math.max(...Object.keys(BENCHES).map((name) => name.length));

/** The help of each command. The first line is its usage. */
const HELP = {
  setup: `usage: node tools/run.mjs setup

Installs the packages and Node 24, finds, downloads or builds the engine, and compiles.`,
  demo: `usage: npm run demo [-- --keep]

Shows the provider at work, from the first preview to the destroy, against a simulator.
  --keep  Leave the stack and the simulator for you to continue by hand.`,
  example: `usage: npm run example -- <name>

Runs one example from preview to destroy, against a simulator. A name is that of a folder in examples/.`,
  "test:engines": `usage: npm run test:engines

Creates, changes and deletes one resource of each kind, with both providers, on the oldest supported and on the newest tested Pulumi.`,
  bench: `usage: npm run bench -- [name] [options]

Measures times, calls and memory:
${Object.entries(BENCHES)
  .map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  .join("\n")}
The first lines of tools/bench/<name>.mjs have the options of each.`,
  chaos: `usage: npm run chaos -- [--engine [--native]] [--seed <first>] [--count <schedules>] [--workers <2>]

Runs the fault campaign: random programs against an API that fails at random.
  --engine   Run each schedule with the real engine. Without it, the lifecycle is called directly.
  --native   Use the provider of pulumi-cloudinfra/native. Only with --engine.
  --seed     Start with this schedule. Each number gives the same schedule every time. Default: 1.
  --count    Run this many schedules. Default: 1000, or 20 with --engine.
  --workers  Run this many at a time. Default: 2.`,
  plugin: `usage: npm run plugin [-- --out <folder>]

Makes the plugin as one executable, in a tarball.
  --out  Write it into this folder. Default: build.`,
  sdk: `usage: npm run sdk -- [--out <folder>] [${LANGUAGES.join("|")}…]

Generates the SDK for each language that is named, or for all. It needs Go.
  --out  Write them into this folder. Default: sdk.`,
  "record-state": `usage: node tools/run.mjs record-state

Records the states of this version into test/fixtures/states.`,
};

/** The help text, if the arguments of a command ask for it. Otherwise undefined. jest has its own help for `test`. */
export function helpAskedFor(name, args) {
  return args.some((arg) => arg === "--help" || arg === "-h") ? HELP[name] : undefined;
}

/**
 * Parses a command's options. Ends the process with one sentence if one is unknown. `positionals`: the plain arguments.
 */
export function readCommandLine(name, options, { allowPositionals = false } = {}) {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals });
    return { ...values, positionals };
  } catch ({ message }) {
    const [why] = message.replace(/\.$/, "").split(". ");
    return refuseUsage(name, why);
  }
}

/** Ends the process because of wrong usage. */
export function refuseUsage(name, why) {
  console.error(`${why}: see \`npm run ${name} -- --help\`.`);
  return process.exit(2);
}

/** The first line of the help. */
export function usageOf(name) {
  return HELP[name].split("\n")[0];
}
