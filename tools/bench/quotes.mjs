// What asking for prices costs a preview: `npm run bench -- quotes [--resources 100] [--runs 5] [--latency 200ms] [--json <file>]`. In turn,
// previews of new connections of five bandwidths, without latency and with it. In the JSON, times are in milliseconds:
//   { bench: "quotes", command, machine, resources, runs, latencyMs, quick: { wallMs, calls }, late: { wallMs, calls } }   medians
import ms from "ms";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, readOptions } from "./command-line.mjs";
import { connections } from "./declared.mjs";
import { machine } from "./machine.mjs";
import { MeasuredStack } from "./measured-stack.mjs";
import { median } from "./median.mjs";
import { present } from "./result.mjs";

const PREVIEW_MS = 4000;

const options = readOptions({ resources: "100", runs: "5", latency: "200ms", json: undefined });
const [resources, runs] = [count("resources", options.resources), count("runs", options.runs)];
const latencies = { quick: "0", late: options.latency };

const made = { command: commandGiven("quotes"), machine: machine() };
const step = startStep("bench");
const stacks = {};
const seen = { quick: [], late: [] };
try {
  for (const [name, latency] of Object.entries(latencies)) {
    stacks[name] = await MeasuredStack.start("connections", { simulator: { latency } });
    stacks[name].declare(connections(resources, stacks[name].simulator));
  }
  for (let run = 1; run <= runs; run += 1) {
    for (const [name, stack] of Object.entries(stacks)) {
      const left = 2 * (runs - run) + (name === "quick" ? 1 : 0);
      step.phase(`preview ${run} of ${runs}, latency ${latencies[name]}`, PREVIEW_MS, left * PREVIEW_MS);
      seen[name].push(await stack.run("preview"));
    }
  }
} finally {
  for (const stack of Object.values(stacks)) await stack.close();
}
step.done("measured");
const summary = (all) => ({ wallMs: median(all.map(({ wallMs }) => wallMs)), calls: all.at(-1).calls });
const what = { bench: "quotes", ...made, resources, runs };
const result = { ...what, latencyMs: ms(options.latency), quick: summary(seen.quick), late: summary(seen.late) };
await present(result, options.json);
