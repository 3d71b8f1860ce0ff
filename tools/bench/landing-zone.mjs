// A platform beside the engine's floor: `npm run bench -- landing-zone [--runs 3] [--operation-time 1s] [--latency 20ms] [--parallel <n>]
// [--json <file>]`. The program is examples/landing-zone; the floor has as many resources with the same inputs, and does nothing. In the JSON:
//   { bench: "landing-zone", command, machine, settings, runs, resources, created, collections,        see landing-zone/round.mjs
//     phases: { [phase]: { [program]: { wallMs, wallMsOfRuns, calls, peakBytes } } } }                 as in compare/summary.mjs
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, readOptions, runSettings } from "./command-line.mjs";
import { summaryOfRuns } from "./compare/summary.mjs";
import { PHASES, PROGRAMS, runRound } from "./landing-zone/round.mjs";
import { machine } from "./machine.mjs";
import { present } from "./result.mjs";

/** What a run of the engine takes on two cores: good enough for the progress. */
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
const rounds = [];
let left = runs * PHASES.length * PROGRAMS.length;
for (let round = 1; round <= runs; round += 1) {
  const onRun = (program, phase) => {
    left -= 1;
    step.phase(`round ${round} of ${runs}: ${phase}, ${program}`, RUN_MS, left * RUN_MS);
  };
  rounds.push(await runRound({ settings, flags, onRun }));
}
step.done("measured");

const [{ resources, created, collections }] = rounds;
const phases = Object.fromEntries(
  PHASES.map((phase) => [
    phase,
    Object.fromEntries(
      PROGRAMS.map((program) => [program, summaryOfRuns(rounds.map((one) => one.runs[phase][program]))]),
    ),
  ]),
);
await present(
  { bench: "landing-zone", ...made, settings, runs, resources, created, collections, phases },
  options.json,
);
