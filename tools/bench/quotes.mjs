// What asking for prices costs a preview: `npm run bench -- quotes [--resources 100] [--runs 5] [--latency 200ms] [--json <file>]`. In turn,
// previews of new resources of five prices: without latency; with it; and with it for the prices alone (preflight off). Each of them with
// connections, whose quotes also tell refusals, and with volumes, which have an availability endpoint. In the JSON, times are in milliseconds,
// medians:
//   { bench: "quotes", command, machine, resources, runs, latencyMs, kinds: { [kind]: { quick: { wallMs, calls }, late: …, prices: … } } }
import ms from "ms";
import { startStep } from "../setup/progress.mjs";
import { commandGiven, count, readOptions } from "./command-line.mjs";
import { connections, volumes } from "./declared.mjs";
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
const measured = [];
try {
  for (const [kind, declared] of Object.entries({ connections, volumes })) {
    for (const [name, { latency, preflight }] of Object.entries(setUps)) {
      const stack = await MeasuredStack.start(kind, {
        simulator: { latency },
        env: { CLOUDINFRA_PREFLIGHT: preflight },
      });
      stack.declare(declared(resources, stack.simulator));
      measured.push({ kind, name, stack, previews: [] });
    }
  }
  for (let run = 1; run <= runs; run += 1) {
    for (const [index, { kind, name, stack, previews }] of measured.entries()) {
      const left = measured.length * (runs - run + 1) - index - 1;
      const { latency, preflight } = setUps[name];
      const text = `preview ${run} of ${runs}, ${kind}, latency ${latency}, preflight ${preflight}`;
      step.phase(text, PREVIEW_MS, left * PREVIEW_MS);
      previews.push(await stack.run("preview"));
    }
  }
} finally {
  for (const { stack } of measured) await stack.close();
}
step.done("measured");

const kinds = {};
for (const { kind, name, previews } of measured) {
  const summary = { wallMs: median(previews.map(({ wallMs }) => wallMs)), calls: previews.at(-1).calls };
  kinds[kind] = { ...kinds[kind], [name]: summary };
}
await present({ bench: "quotes", ...made, resources, runs, latencyMs: ms(options.latency), kinds }, options.json);
