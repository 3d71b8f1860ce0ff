// This package beside the engine's floor and a plain dynamic provider:
// `npm run bench -- [--resources 10,100,1000] [--runs 5,5,1] [--plain-up-to 1000] [--operation-time 1s] [--latency 20ms]
// [--parallel <n>] [--json <file>]`. summary.mjs describes the JSON, which is written after each size.
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, counts, machine, readOptions, runSettings } from "./command-line.mjs";
import { PROGRAMS, runRound } from "./compare-round.mjs";
import { present, writeResult } from "./results.mjs";
import { measureRounds, summarize } from "./summary.mjs";

/** With more resources than this, a round takes many minutes. */
const LARGE = 500;
/** The usual time of a run, and for each of its resources, for the progress. */
const [RUN_MS, RESOURCE_MS] = [4000, 60];

const options = readOptions({
  resources: "10,100,1000",
  runs: undefined,
  // Its state is five times as large, and the engine writes all of it after each step. With 1,000 resources that takes
  // a quarter of an hour.
  "plain-up-to": "1000",
  "operation-time": "1s",
  latency: "20ms",
  parallel: undefined,
  json: undefined,
});
const runs = options.runs === undefined ? undefined : counts("runs", options.runs);
const plainUpTo = count("plain-up-to", options["plain-up-to"]);
const sizes = counts("resources", options.resources).map((resources, i) => ({
  resources,
  programs: PROGRAMS.filter((program) => program !== "plain" || resources <= plainUpTo),
  runs: runs ? (runs[i] ?? runs.at(-1)) : resources < LARGE ? 5 : 1,
}));
const settings = runSettings(options);
const flags = options.parallel === undefined ? [] : ["--parallel", String(settings.parallel)];

const made = { command: commandGiven(), machine: machine() };
const step = startStep("bench");
step.note(`${settings.parallel} operations at a time${flags.length > 0 ? "" : ", the engine's default"}`);
const measured = [];
const result = () => summarize({ ...made, settings, sizes: measured });
for (const { resources, programs, runs: times } of sizes) {
  const runMs = RUN_MS + resources * RESOURCE_MS;
  const rounds = await measureRounds({ step, times, title: `${resources} resources, `, runMs }, (onRun) =>
    runRound({ resources, settings, flags, programs, onRun }),
  );
  measured.push({ resources, runs: times, rounds });
  if (options.json !== undefined) await writeResult(result(), options.json);
}
step.done("measured");

await present(result(), options.json);
