import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import Table from "cli-table3";
import { readCommandLine, usageOf } from "../help.mjs";
import { startStep } from "../setup/progress.mjs";

const WORKER = fileURLToPath(new URL("worker.cjs", import.meta.url));
/** The usual time of one schedule on one worker, in milliseconds. */
const USUAL_MS = { lifecycle: 200, engine: 20_000 };

const values = readCommandLine("chaos", {
  seed: { type: "string", default: "1" },
  count: { type: "string" },
  workers: { type: "string", default: "2" },
  engine: { type: "boolean", default: false },
  native: { type: "boolean", default: false },
});
const { engine, native } = values;
const first = Number(values.seed);
const count = Number(values.count ?? (engine ? 20 : 1000));
const workers = Math.min(Number(values.workers), count);
if (![first, count, workers].every((number) => Number.isSafeInteger(number)) || count < 1 || workers < 1) {
  console.error(usageOf("chaos"));
  process.exit(2);
}

const hits = new Map();
const violations = [];
let next = first;
let done = 0;
const step = startStep("chaos");
step.phase(`${count} schedules`, (count * USUAL_MS[engine ? "engine" : "lifecycle"]) / workers);

/** Resolves when no seed is left. Rejects if a worker fails. */
function runWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(WORKER, { workerData: { engine, native } });
    worker.on("message", ({ seed, hits: counted, violation }) => {
      if (seed !== undefined) take(counted, violation);
      worker.postMessage(next < first + count ? next++ : undefined);
    });
    worker.once("error", reject);
    worker.once("exit", resolve);
  });
}

function take(counted, violation) {
  for (const [kind, times] of counted) hits.set(kind, (hits.get(kind) ?? 0) + times);
  if (violation !== undefined) {
    violations.push(violation);
    step.note(`\n${violation}\n`);
  }
  done += 1;
}

await Promise.all(Array.from({ length: workers }, runWorker));

const table = new Table({ head: ["", "times"], colAligns: ["left", "right"], style: { head: [], border: [] } });
table.push(["schedules", done]);
for (const [kind, times] of [...hits].sort(([a], [b]) => a.localeCompare(b))) table.push([kind, times]);
table.push(["violations", violations.length]);
step.done(violations.length === 0 ? "no violation" : `${violations.length} of ${done} schedules broke an invariant`);
console.log(table.toString());
process.exitCode = violations.length === 0 ? 0 : 1;
