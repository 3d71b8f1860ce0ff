// A platform beside the engine's floor: `npm run bench -- landing-zone [--runs 3] [--operation-time 1s] [--latency 20ms] [--parallel <n>]
// [--json <file>]`. The program is examples/landing-zone; the floor has as many resources with the same inputs, and does nothing. In the JSON:
//   { bench: "landing-zone", command, machine, settings, runs, resources, created, collections,        see landing-zone-round.mjs
//     phases: { [phase]: { [program]: { wallMs, wallMsOfRuns, calls, peakBytes } } } }                 as in summary.mjs
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, machine, readOptions, runSettings } from "./command-line.mjs";
import { runRound } from "./landing-zone-round.mjs";
import { present } from "./results.mjs";
import { measureRounds, summaryOfPhases } from "./summary.mjs";

/** The usual time of a run on two cores, for the progress. */
const RUN_MS = 9000;

const options = readOptions({
  runs: "3",
  "operation-time": "1s",
  latency: "20ms",
  parallel: undefined,
  json: undefined,
});
const runs = count("runs", options.runs);
const settings = runSettings(options);
const flags = options.parallel === undefined ? [] : ["--parallel", String(settings.parallel)];

const made = { command: commandGiven("landing-zone"), machine: machine() };
const step = startStep("bench");
const rounds = await measureRounds({ step, times: runs, runMs: RUN_MS }, (onRun) =>
  runRound({ settings, flags, onRun }),
);
step.done("measured");

const [{ resources, created, collections }] = rounds;
const what = { bench: "landing-zone", ...made, settings, runs, resources, created, collections };
await present({ ...what, phases: summaryOfPhases(rounds) }, options.json);
