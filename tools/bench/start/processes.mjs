import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ROOT } from "../../setup/paths.mjs";
import { medians } from "../summary.mjs";

const require = createRequire(import.meta.url);
const { startSimulator } = require("../../../dist/simulator/index.js");
const PLUGIN = fileURLToPath(new URL("plugin-process.cjs", import.meta.url));
const MODULES = { alone: ["@pulumi/pulumi"], withPackage: ["@pulumi/pulumi", "pulumi-cloudinfra"] };
const CPU = "const { user, system } = process.cpuUsage(); console.log(JSON.stringify((user + system) / 1000))";

/**
 * Measures a process that loads Pulumi's SDK, and one that also loads this package: `{ alone, withPackage }`, each `{
 * wallMs, cpuMs }`. Medians of `times` processes each, in turn.
 */
export async function measureImports(times) {
  const seen = { alone: [], withPackage: [] };
  for (let i = 0; i < times; i += 1) {
    for (const [name, modules] of Object.entries(MODULES)) {
      const requires = modules.map((module) => `require(${JSON.stringify(module)});`).join(" ");
      const { wallMs, answer: cpuMs } = await runNode(["-e", `${requires} ${CPU}; process.exit()`]);
      seen[name].push({ wallMs, cpuMs });
    }
  }
  return { alone: medians(seen.alone), withPackage: medians(seen.withPackage) };
}

/**
 * Measures how long the engine's plugin takes to load the package's modules: `beforeMs` its first check, and `duringMs`
 * that check. Medians of `times` processes.
 */
export async function measurePlugin(times) {
  const { apiKey, url, vpcId, close } = await startSimulator();
  const env = { CLOUDINFRA_API_KEY: apiKey, CLOUDINFRA_BASE_URL: url, BENCH_VPC_ID: vpcId };
  try {
    const seen = [];
    for (let i = 0; i < times; i += 1) seen.push((await runNode([PLUGIN], env)).answer);
    return medians(seen);
  } finally {
    await close();
  }
}

/**
 * Runs Node at the root of the clone: `{ wallMs, answer }`. The answer is JSON from the last printed line. Rejects if
 * the process fails.
 */
async function runNode(args, env = {}) {
  const startedAt = performance.now();
  const options = { cwd: ROOT, env: { ...process.env, ...env } };
  const { stdout } = await promisify(execFile)(process.execPath, args, options);
  return { wallMs: performance.now() - startedAt, answer: JSON.parse(stdout.trim().split("\n").at(-1)) };
}
