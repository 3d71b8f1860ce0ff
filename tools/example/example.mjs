import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, heading, held, pulumiPrinter } from "../demo/screen.mjs";
import { scenarios } from "./scenarios.mjs";

const require = createRequire(import.meta.url);
const { environmentFor, Stack } = require("../pulumi/stack.cjs");
const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));

const [name = ""] = process.argv.slice(2);
if (Object.hasOwn(scenarios, name)) await runExample(name, scenarios[name]);
else {
  const names = Object.keys(scenarios).join(", ");
  console.error(`${name === "" ? "Name an example" : `There is no example "${name}"`}. The examples are ${names}.`);
  process.exitCode = 2;
}

/** Deploys and destroys the example against its own simulator, shows what Pulumi prints, and cleans up. */
async function runExample(name, scenario) {
  const { startSimulator } = require("../../dist/simulator/index.js");
  const simulator = await startSimulator({ operationTime: "200ms" });
  const folder = join(EXAMPLES, name);
  const stack = new Stack({
    program: { folder, entries: readdirSync(folder).filter((entry) => entry !== "node_modules") },
    env: environmentFor(simulator),
  });
  // At a signal Pulumi ends and the step fails, so `finally` still runs.
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stack.child?.kill(signal));
  try {
    await show({ simulator, stack, scenario });
  } catch (error) {
    console.error(`\n✘ ${name} failed: ${error instanceof assert.AssertionError ? error.message : error.stack}`);
    process.exitCode = 1;
  } finally {
    await simulator.close();
    stack.remove();
  }
}

async function show({ simulator, stack, scenario }) {
  const { folder } = stack;
  const { flags = [], change, isRefused = false, failure } = scenario;
  const state = async () => (await fetch(`${simulator.controlUrl}/state`)).json();
  const preview = (options) => pulumi(stack, ["preview", ...flags, "--non-interactive"], options);
  const up = (options) => pulumi(stack, ["up", ...flags, "--yes", "--skip-preview", "--non-interactive"], options);
  const seeded = named(await state());
  const steps = 3 + (change ? (isRefused ? 1 : 2) : 0) + (failure ? 1 : 0);
  Object.assign(stack.env, await scenario.environment?.(folder));
  await stack.init();
  await configure(stack, await scenario.prepare(simulator, folder));

  heading(1, steps, "Preview");
  await preview();
  heading(2, steps, "Create it");
  await up();
  const noted = await scenario.between?.({ simulator, folder });
  if (change) {
    heading(3, steps, scenario.changeHeading ?? "Preview a change");
    await configure(stack, change);
    await preview({ fails: isRefused });
  }
  if (failure) {
    heading(4, steps, failure.heading);
    await up({ fails: true });
    await failure.verify({ simulator, noted });
    held(failure.held);
  }
  if (change && !isRefused) {
    heading(steps - 1, steps, "Make the change");
    await up();
  }
  await scenario.verify({ simulator, stack, folder, noted, state: await state(), outputs: () => stack.outputs() });
  held(scenario.held);

  heading(steps, steps, "Destroy everything");
  await pulumi(stack, ["destroy", "--yes", "--skip-preview", "--non-interactive"]);
  const left = named(await state()).filter((name) => !seeded.includes(name));
  const remains = scenario.remains ?? [];
  assert.deepEqual(left, remains, "the objects that are left at the API");
  held(remains.length === 0 ? "nothing is left at the API" : `left at the API, as expected: ${remains.join(", ")}`);
}

/** The names of all objects in the API. */
function named(state) {
  return Object.values(state).flatMap((objects) => objects.flatMap(({ name }) => name ?? []));
}

async function configure(stack, config) {
  for (const [key, value] of Object.entries(config)) {
    command(`pulumi config set ${key} ${value}`);
    await stack.setConfig(key, value);
  }
}

/** Runs Pulumi and shows its output. Fails if Pulumi fails, or if it succeeds but was expected to fail. */
async function pulumi(stack, args, { fails = false } = {}) {
  command(`pulumi ${args.filter((arg) => !["--non-interactive", "--yes"].includes(arg)).join(" ")}`);
  const print = pulumiPrinter();
  const { code } = await stack.pulumi(args, { onOutput: print });
  print("\n");
  assert.ok((code === 0) !== fails, `pulumi ${args[0]} ${fails ? "did not fail" : "failed"}`);
}
