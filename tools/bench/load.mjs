// How a run fares against an API that limits the rate: `npm run bench -- load [--resources 500] [--rate-limit 20]`.
import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import { programs } from "./programs.mjs";

const require = createRequire(import.meta.url);
const { PluginMemory } = require("../pulumi/plugin-memory.cjs");
const { Stack } = require("../pulumi/stack.cjs");
const { startSimulator } = require("../../dist/simulator/index.js");

const { values } = parseArgs({
  options: {
    resources: { type: "string", default: "500" },
    "rate-limit": { type: "string", default: "20" },
    "operation-time": { type: "string", default: "100ms" },
  },
});
const count = Number(values.resources);

const simulator = await startSimulator({
  rateLimit: values["rate-limit"],
  operationTime: values["operation-time"],
});
const stack = new Stack({
  program: programs.package({ count, vpcId: simulator.vpcId }),
  env: { CLOUDINFRA_API_KEY: simulator.apiKey, CLOUDINFRA_BASE_URL: simulator.url },
});

/** Runs the engine once: how long it took, what arrived at the API meanwhile, and what is there afterwards. */
async function measure(command) {
  const before = (await control("/requests")).length;
  const memory = new PluginMemory(() => stack.child?.pid);
  const startedAt = performance.now();
  const args = [command, "--yes", "--skip-preview", "--non-interactive", "--parallel", String(count)];
  const { code, output } = await stack.pulumi(args);
  memory.stop();
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed\n${output}`);
  const requests = (await control("/requests")).slice(before);
  const refused = requests.filter(({ status }) => status === 429).length;
  return {
    command,
    seconds: Math.round((performance.now() - startedAt) / 1000),
    requests: tally(requests),
    refused,
    refusedPercent: Math.round((1000 * refused) / requests.length) / 10,
    peakMegabytes: memory.peakBytes === undefined ? null : Math.round(memory.peakBytes / 1e6),
    rulesAtTheApi: (await control("/state")).firewallRules.length,
  };
}

async function control(path) {
  return (await fetch(simulator.controlUrl + path)).json();
}

function tally(requests) {
  const counts = {};
  for (const request of requests) counts[kindOf(request)] = (counts[kindOf(request)] ?? 0) + 1;
  return counts;
}

function kindOf({ method, path }) {
  if (path.endsWith("/cost")) return "quotes";
  if (path === "/v1/operations") return "polls by list";
  return path.startsWith("/v1/operations/") ? "polls of one" : method;
}

try {
  await stack.init();
  for (const command of ["up", "destroy"]) {
    process.stderr.write(`${command} of ${count} firewall rules at ${values["rate-limit"]} requests a second\n`);
    console.log(JSON.stringify(await measure(command), null, 2));
  }
} finally {
  stack.remove();
  await simulator.close();
}
