import { createRequire } from "node:module";
import { parseArgs } from "node:util";
import Table from "cli-table3";
import { programs } from "./programs.mjs";

const require = createRequire(import.meta.url);
const { Stack } = require("../pulumi/stack.cjs");
const { startSimulator } = require("../../dist/simulator/index.js");

const { values } = parseArgs({
  options: {
    resources: { type: "string", default: "100" },
    runs: { type: "string", default: "5" },
    json: { type: "boolean", default: false },
  },
});
const count = Number(values.resources);
const runs = Number(values.runs);
const say = (text) => void process.stderr.write(`${text}\n`);

/** One stack of a program, with what it cost so far. */
class Measured {
  constructor(name, stack, simulator) {
    Object.assign(this, { name, stack, simulator, seen: 0, times: {}, calls: {} });
  }

  static async start(name) {
    const simulator = await startSimulator({ operationTime: "100ms" });
    const stack = new Stack({
      program: programs[name]({ count, vpcId: simulator.vpcId }),
      env: { CLOUDINFRA_API_KEY: simulator.apiKey, CLOUDINFRA_BASE_URL: simulator.url },
    });
    await stack.init();
    return new Measured(name, stack, simulator);
  }

  async run(phase, args) {
    const startedAt = performance.now();
    const { code, output } = await this.stack.pulumi(args);
    if (code !== 0) throw new Error(`${this.name}: pulumi ${args.join(" ")} failed\n${output}`);
    (this.times[phase] ??= []).push(performance.now() - startedAt);
    const requests = await (await fetch(`${this.simulator.controlUrl}/requests`)).json();
    const tally = {};
    for (const { method, path } of requests.slice(this.seen)) {
      const kind = path.endsWith("/cost") ? "quotes" : path.startsWith("/v1/operations") ? "polls" : method;
      tally[kind] = (tally[kind] ?? 0) + 1;
    }
    this.seen = requests.length;
    this.calls[phase] = tally;
  }

  /** The largest resource in the state, as compact JSON. */
  async stateBytes() {
    const sizes = Object.values(await this.stack.resources())
      .filter(({ type }) => type.includes("dynamic/"))
      .map((resource) => Buffer.byteLength(JSON.stringify(resource)));
    return Math.max(...sizes);
  }

  async close() {
    this.stack.remove();
    await this.simulator.close();
  }
}

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

const preview = ["preview", "--non-interactive"];
const phases = ["new preview", "up", "no-change preview"];
const measured = [];
try {
  for (const name of Object.keys(programs)) measured.push(await Measured.start(name));
  // In turn, so that a machine whose speed drifts slows all of them.
  for (let run = 1; run <= runs; run += 1) {
    say(`new preview of ${count} resources, run ${run} of ${runs}`);
    for (const one of measured) await one.run("new preview", preview);
  }
  say("up");
  for (const one of measured) await one.run("up", ["up", "--yes", "--skip-preview", "--non-interactive"]);
  for (let run = 1; run <= runs; run += 1) {
    say(`no-change preview, run ${run} of ${runs}`);
    for (const one of measured) await one.run("no-change preview", preview);
  }
  const [ours, floor] = measured;
  const rows = phases.map((phase) => {
    const [a, b] = [median(ours.times[phase]), median(floor.times[phase])];
    return { phase, packageMs: a, floorMs: b, addedMs: a - b, ratio: a / b, apiCalls: ours.calls[phase] };
  });
  const stateBytes = await ours.stateBytes();
  if (values.json) {
    console.log(JSON.stringify({ resources: count, runs, rows, stateBytesPerResource: stateBytes }, null, 2));
  } else {
    const table = new Table({
      head: ["phase", "package", "floor", "added", "ratio", "API calls"],
      style: { head: [] },
    });
    for (const { phase, packageMs, floorMs, addedMs, ratio, apiCalls } of rows) {
      const calls = Object.entries(apiCalls).map(([kind, number]) => `${number} ${kind}`);
      const ms = (number) => `${Math.round(number)} ms`;
      table.push([phase, ms(packageMs), ms(floorMs), ms(addedMs), ratio.toFixed(2), calls.join(", ") || "0"]);
    }
    console.log(`${count} firewall rules, medians of ${runs} runs in turn (up: one run); operations of 100 ms`);
    console.log(table.toString());
    console.log(`largest resource in the state: ${stateBytes} bytes as compact JSON`);
  }
} finally {
  for (const one of measured) await one.close();
}
