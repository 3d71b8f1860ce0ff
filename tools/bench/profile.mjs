// Where the plugin's processor time and memory go while many resources are brought up: `npm run bench -- profile [--resources 1000]
// [--parallel <n>] [--operation-time 1s] [--latency 20ms] [--out <folder>] [--json <file>]`. The profiles themselves are in the folder, for a
// browser's tools: plugin.cpuprofile, plugin.heapprofile. In the JSON, with the sums of summary.mjs in milliseconds and bytes:
//   { bench: "profile", command, machine, resources, settings, wallMs, peakBytes, cpu: { total, places, functions }, allocations: { … } }
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../setup/paths.mjs";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, readOptions, runSettings } from "./command-line.mjs";
import { rules } from "./declared.mjs";
import { machine } from "./machine.mjs";
import { MeasuredStack } from "./measured-stack.mjs";
import { summarizeCpu, summarizeHeap } from "./profile/summary.mjs";
import { present } from "./result.mjs";

const PRELOAD = fileURLToPath(new URL("profile/preload.cjs", import.meta.url));
const PROFILES = { cpu: "plugin.cpuprofile", allocations: "plugin.heapprofile" };
/** So many places and functions go into the JSON. */
const KEPT = 40;

const options = readOptions({
  resources: "1000",
  parallel: undefined,
  "operation-time": "1s",
  latency: "20ms",
  out: "profile",
  json: undefined,
});
const resources = count("resources", options.resources);
const settings = runSettings(options);
const folder = resolve(options.out);
mkdirSync(folder, { recursive: true });
// Those of an earlier run are not to be taken for this one's.
for (const file of Object.values(PROFILES)) rmSync(join(folder, file), { force: true });

const made = { command: commandGiven("profile"), machine: machine() };
const step = startStep("bench");
const stack = await MeasuredStack.start("package", {
  simulator: { operationTime: settings.operationTime, latency: settings.latency },
  env: { NODE_OPTIONS: `--require ${JSON.stringify(PRELOAD)}`, BENCH_PROFILE_FOLDER: folder },
});
let run;
try {
  stack.declare(rules(resources, stack.simulator));
  step.phase(`up of ${resources} firewall rules`, 4000 + (resources / settings.parallel) * 1500);
  run = await stack.run("up", ["--parallel", String(settings.parallel)]);
} finally {
  await stack.close();
}
step.done(`profiles written to ${folder}`);

const read = (file) => JSON.parse(readFileSync(join(folder, file), "utf8"));
const kept = ({ total, places, functions }) => ({
  total,
  places: places.slice(0, KEPT),
  functions: functions.slice(0, KEPT),
});
await present(
  {
    ...{ bench: "profile", ...made, resources, settings },
    ...{ wallMs: run.wallMs, peakBytes: run.peakBytes },
    cpu: kept(summarizeCpu(read(PROFILES.cpu), ROOT)),
    allocations: kept(summarizeHeap(read(PROFILES.allocations), ROOT)),
  },
  options.json,
);
