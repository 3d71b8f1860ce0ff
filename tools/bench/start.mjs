// How long everything takes to begin: `npm run bench -- start [--runs 5] [--imports 15] [--json <file>]`. Of each
// set-up of a project, `runs` previews of the quickstart; of each way to load modules, `imports` processes. In the
// JSON, times are medians in milliseconds:   { bench: "start", command, machine, runs, imports,     program: { alone: {
// wallMs, cpuMs }, withPackage: { wallMs, cpuMs } },   a process that requires @pulumi/pulumi; and this package too
// plugin: { beforeMs, duringMs },               loading modules, before the first check and in it: see
// start/plugin-process.cjs     setUps: [{ name, changedMs, sameMs, cachedMs }] }                        previews: see
// start/set-ups.mjs
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, machine, readOptions } from "./command-line.mjs";
import { present } from "./results.mjs";
import { measureImports, measurePlugin } from "./start/processes.mjs";
import { measureSetUps, SET_UPS } from "./start/set-ups.mjs";

const options = readOptions({ runs: "5", imports: "15", json: undefined });
const [runs, imports] = [count("runs", options.runs), count("imports", options.imports)];
const [IMPORT_MS, PLUGIN_MS, PREVIEW_MS] = [1200, 1500, 3500];

const made = { command: commandGiven("start"), machine: machine() };
const step = startStep("bench");
const previewsMs = SET_UPS.length * 3 * (runs + 1) * PREVIEW_MS;
step.phase("importing the package", imports * IMPORT_MS);
const program = await measureImports(imports);
step.phase("loading the plugin", imports * PLUGIN_MS);
const plugin = await measurePlugin(imports);
step.phase("previews of the quickstart", previewsMs);
const setUps = await measureSetUps(runs);
step.done("measured");
const what = { bench: "start", ...made, runs, imports };
await present({ ...what, program, plugin, setUps }, options.json);
