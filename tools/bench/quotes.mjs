// What asking for prices costs a preview: `npm run bench -- quotes [--resources 100] [--runs 5] [--latency 200ms] [--json <file>]`. In turn,
// previews of new connections of five bandwidths: without latency; with it; and with it for the prices alone (preflight off). In the JSON,
// times are in milliseconds, medians:
//   { bench: "quotes", command, machine, resources, runs, latencyMs, quick: { wallMs, calls }, late: …, prices: … }
import ms from "ms";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, readOptions } from "./command-line.mjs";
import { connections } from "./declared.mjs";
import { machine } from "./machine.mjs";
import { MeasuredStack } from "./measured-stack.mjs";
import { median } from "./median.mjs";
import { present } from "./result.mjs";

const PREVIEW_MS = 12_000;

const options = readOptions({ resources: "100", runs: "5", latency: "200ms", json: undefined });
const [resources, runs] = [count("resources", options.resources), count("runs", options.runs)];
const setUps = {
  quick: { latency: "0", preflight: "fail" },
  late: { latency: options.latency, preflight: "fail" },
  prices: { latency: options.latency, preflight: "off" },
};

const made = { command: commandGiven("quotes"), machine: machine() };
const step = startStep("bench");
const stacks = {};
const seen = { quick: [], late: [], prices: [] };
try {
  for (const [name, { latency, preflight }] of Object.entries(setUps)) {
    stacks[name] = await MeasuredStack.start("connections", {
      simulator: { latency },
      env: { CLOUDINFRA_PREFLIGHT: preflight },
    });
    stacks[name].declare(connections(resources, stacks[name].simulator));
  }
  for (let run = 1; run <= runs; run += 1) {
    for (const [index, [name, stack]] of Object.entries(stacks).entries()) {
      const left = 3 * (runs - run) + 2 - index;
      const { latency, preflight } = setUps[name];
      step.phase(
        `preview ${run} of ${runs}, latency ${latency}, preflight ${preflight}`,
        PREVIEW_MS,
        left * PREVIEW_MS,
      );
      seen[name].push(await stack.run("preview"));
    }
  }
} finally {
  for (const stack of Object.values(stacks)) await stack.close();
}
step.done("measured");
const summary = (all) => ({ wallMs: median(all.map(({ wallMs }) => wallMs)), calls: all.at(-1).calls });
const what = { bench: "quotes", ...made, resources, runs };
const result = {
  ...what,
  latencyMs: ms(options.latency),
  ...Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, summary(all)])),
};
await present(result, options.json);
