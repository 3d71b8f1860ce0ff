import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "./build.mjs";
import { engineStep } from "./engine/engine.mjs";
import { languageHosts, LANGUAGES } from "./engine/language-hosts.mjs";
import { helpAskedFor } from "./help.mjs";
import { isQuick, runJest, testEngines } from "./jest/run-jest.mjs";
import { ensureNode24, runOnNode24 } from "./setup/node-24.mjs";
import { ensurePackages } from "./setup/npm-packages.mjs";
import { PACKAGE_BIN, ROOT, withPath } from "./setup/paths.mjs";
import { inStep } from "./setup/progress.mjs";

const COMMANDS = {
  setup: () => 0,
  demo: (args, env) => runOnNode24([join(ROOT, "tools", "demo", "demo.mjs"), ...args], env),
  test: (args, env) => runJest(args, env),
  "test:all": (args, env) => runJest(args, env, { all: true }),
  "test:engines": (args, env) => testEngines(args, env),
  example: (args, env) => runOnNode24([join(ROOT, "tools", "example", "example.mjs"), ...args], env),
  "record-state": (args, env) => runOnNode24([join(ROOT, "tools", "states", "record.mjs"), ...args], env),
  bench: (args, env) => runOnNode24([join(ROOT, "tools", "bench", "bench.mjs"), ...args], env),
  chaos: (args, env) => runOnNode24([join(ROOT, "tools", "chaos", "chaos.mjs"), ...args], env),
  plugin: (args, env) => runOnNode24([join(ROOT, "tools", "plugin", "plugin.mjs"), ...args], env),
  sdk: (args, env) => runOnNode24([join(ROOT, "tools", "sdk", "sdk.mjs"), ...args], env),
};

/** `run.mjs <command> [args…]`: installs what is missing, then runs the command. Resolves with its exit code. */
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
  const hosts = await languageHosts(languagesOf(name, args));
  // A release of the engine has its own language hosts beside it. They lack what the tests need.
  return command(args, withPath([PACKAGE_BIN, ...hosts, engine.binDir]));
}

/** The languages, besides JavaScript, of the programs that a command runs. Unit tests run no such programs. */
export function languagesOf(name, args) {
  if (name === "example") return runtimesOf(args);
  const areUnits = args.length > 0 && args.every((arg) => /^(\.\/)?test\/(?!engine\b)/.test(arg));
  return name === "test:all" || (name === "test" && !isQuick(args) && !areUnits) ? LANGUAGES : [];
}

/** The runtimes of these examples. An unknown example has none. */
function runtimesOf(names) {
  const files = names.map((name) => join(ROOT, "examples", name, "Pulumi.yaml")).filter(existsSync);
  return files.flatMap((file) => /^runtime: (\w+)$/m.exec(readFileSync(file, "utf8"))?.[1] ?? []);
}

async function setUp() {
  await inStep("packages", (step) => ensurePackages(ROOT, step));
  await inStep("node", (step) => ensureNode24(ROOT, step));
  const engine = await inStep("engine", engineStep);
  await inStep("build", (step) => build(step));
  return engine;
}
