// This package beside the engine's floor and a plain dynamic provider:
// `npm run bench -- [--resources 10,100,1000] [--runs 5,5,1] [--operation-time 1s] [--latency 20ms] [--parallel <n>] [--json <file>]
// [--svg <file>]`. What is in the JSON stands in compare/summary.mjs.
import { writeFileSync } from "node:fs";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, counts, readOptions } from "./command-line.mjs";
import { drawChart } from "./compare/chart.mjs";
import { TimeLeft } from "./compare/estimate.mjs";
import { runRound } from "./compare/round.mjs";
import { summarize } from "./compare/summary.mjs";
import { enginesParallelism, machine } from "./machine.mjs";
import { present } from "./result.mjs";

/** Above this many resources a round takes many minutes. */
const LARGE = 500;

const options = readOptions({
  resources: "10,100,1000",
  runs: undefined,
  "operation-time": "1s",
  latency: "20ms",
  parallel: undefined,
  json: undefined,
  svg: undefined,
});
const runs = options.runs === undefined ? undefined : counts("runs", options.runs);
const sizes = counts("resources", options.resources).map((resources, i) => ({
  resources,
  runs: runs ? (runs[i] ?? runs.at(-1)) : resources < LARGE ? 5 : 1,
}));
const settings = {
  operationTime: options["operation-time"],
  latency: options.latency,
  parallel: options.parallel === undefined ? enginesParallelism() : count("parallel", options.parallel),
};
const flags = options.parallel === undefined ? [] : ["--parallel", String(settings.parallel)];

const made = { command: commandGiven(), machine: machine() };
const step = startStep("bench");
const left = new TimeLeft(sizes, settings.parallel);
step.note(`${settings.parallel} operations at a time${flags.length > 0 ? "" : ", the engine's default"}`);
const measured = [];
try {
  for (const { resources, runs: times } of sizes) {
    const rounds = [];
    for (let round = 1; round <= times; round += 1) {
      rounds.push(
        await runRound({
          resources,
          settings,
          flags,
          onRun: (program, phase) => {
            const title = `${resources} resources, round ${round} of ${times}: ${phase}, ${program}`;
            step.phase(title, ...left.before(resources, phase, program));
          },
          onMeasured: (program, phase, wallMs) => left.took(resources, phase, program, wallMs),
        }),
      );
    }
    measured.push({ resources, runs: times, rounds });
  }
} catch (error) {
  step.fail("failed");
  throw error;
}
step.done("measured");

const result = summarize({ ...made, settings, sizes: measured });
await present(result, options.json);
if (options.svg !== undefined) writeFileSync(options.svg, drawChart(result));
