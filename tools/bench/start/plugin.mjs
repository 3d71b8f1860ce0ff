import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { medians } from "../median.mjs";
import { runNode } from "./node-process.mjs";

const require = createRequire(import.meta.url);
const { startSimulator } = require("../../../dist/simulator/index.js");
const PROCESS = fileURLToPath(new URL("plugin-process.cjs", import.meta.url));

/** What the engine's plugin takes to load the package's modules, `{ beforeMs, duringMs }` its first check: medians of so many processes. */
export async function measurePlugin(times) {
  const simulator = await startSimulator();
  const env = {
    CLOUDINFRA_API_KEY: simulator.apiKey,
    CLOUDINFRA_BASE_URL: simulator.url,
    BENCH_VPC_ID: simulator.vpcId,
  };
  try {
    const seen = [];
    for (let i = 0; i < times; i += 1) seen.push((await runNode([PROCESS], env)).answer);
    return medians(seen);
  } finally {
    await simulator.close();
  }
}
