import { join } from "node:path";
import { build } from "./build.mjs";
import { engineStep } from "./engine/engine.mjs";
import { languageHosts } from "./engine/language-hosts.mjs";
import { helpAskedFor } from "./help.mjs";
import { runJest } from "./jest/run-jest.mjs";
import { ensureNode24 } from "./setup/node-24.mjs";
import { ensurePackages } from "./setup/npm-packages.mjs";
import { PACKAGE_BIN, ROOT, withPath } from "./setup/paths.mjs";
import { inStep } from "./setup/progress.mjs";
import { runOnNode24 } from "./setup/run-on-node-24.mjs";

const COMMANDS = {
  setup: () => 0,
  demo: (args, env) => runOnNode24([join(ROOT, "tools", "demo", "demo.mjs"), ...args], env),
  test: (args, env) => runJest(args, env),
  example: (args, env) => runOnNode24([join(ROOT, "tools", "example", "example.mjs"), ...args], env),
  "record-state": (args, env) => runOnNode24([join(ROOT, "tools", "states", "record.mjs"), ...args], env),
  bench: (args, env) => runOnNode24([join(ROOT, "tools", "bench", "bench.mjs"), ...args], env),
  chaos: (args, env) => runOnNode24([join(ROOT, "tools", "chaos", "chaos.mjs"), ...args], env),
  plugin: (args, env) => runOnNode24([join(ROOT, "tools", "plugin", "plugin.mjs"), ...args], env),
  sdk: (args, env) => runOnNode24([join(ROOT, "tools", "sdk", "sdk.mjs"), ...args], env),
};

/** Commands that run programs in other languages than JavaScript. */
const NEED_LANGUAGE_HOSTS = [COMMANDS.test, COMMANDS.example];

/** `run.mjs <setup|demo|example|test|record-state|bench|chaos|plugin|sdk> [args…]`: gets what is missing, then runs the command; resolves to its exit code. */
export async function main([name, ...args]) {
  const command = Object.hasOwn(COMMANDS, name ?? "") ? COMMANDS[name] : undefined;
  if (!command) {
    console.error(`usage: node tools/run.mjs <${Object.keys(COMMANDS).join("|")}> [arguments]`);
    return 2;
  }
  const help = helpAskedFor(name, args);
  if (help !== undefined) {
    console.log(help);
    return 0;
  }
  const engine = await setUp();
  const hosts = NEED_LANGUAGE_HOSTS.includes(command) ? await languageHosts() : [];
  return command(args, withPath([PACKAGE_BIN, engine.binDir, ...hosts]));
}

async function setUp() {
  await inStep("packages", (step) => ensurePackages(ROOT, step));
  await inStep("node", (step) => ensureNode24(ROOT, step));
  const engine = await inStep("engine", engineStep);
  await inStep("build", (step) => build(step));
  return engine;
}
