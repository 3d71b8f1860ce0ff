import { startStep } from "../setup/progress.mjs";
import { commandGiven, machine } from "./command-line.mjs";
import { present, writeResult } from "./results.mjs";
import { summaryOfPhases } from "./summary.mjs";

/** The runs of the engine that a round may have, in order: two that make the resources, and the others. */
const FIRST_RUNS = { "new preview": "preview", up: "up" };
const LATER_RUNS = {
  "no-change preview": "preview",
  "one-change preview": "preview",
  refresh: "refresh",
  destroy: "destroy",
};

/**
 * Runs a bench of the engine, and prints its result. With `json`, writes it to this file after each size:
 *
 *   {
 *     bench, command,                                      the command that makes it
 *     machine: { date, cores, processor, memoryGb, system, load, node, engine },
 *     settings: { operationTime, latency, parallel },      of the simulator; operations that the engine runs at a time
 *     sizes: [{
 *       title, runs,
 *       phases: { [phase]: { [program]: {
 *         wallMs, wallMsOfRuns,                            the median, and each run
 *         calls: { [kind]: number },                       medians; without kinds that were not called
 *         peakBytes,                                       the most memory of the plugin; null if not reported
 *       } } },
 *       ...                                                what the size's `summarize` adds
 *     }],
 *   }
 *
 * A size is `{ title, runs, runMs, summarize }`, with the options of `runRound`. `runMs` is the usual time of a run,
 * for the progress.
 */
export async function runBench({ name, settings, flags, json, sizes }) {
  const result = { bench: name, command: commandGiven(name), machine: machine(), settings, sizes: [] };
  const step = startStep("bench");
  step.note(`${settings.parallel} operations at a time${flags.length > 0 ? "" : ", the engine's default"}`);
  for (const { title, runs, runMs, summarize, ...size } of sizes) {
    const rounds = [];
    while (rounds.length < runs) {
      const which = `${title}, round ${rounds.length + 1} of ${runs}`;
      const onRun = (program, phase) => step.phase(`${which}: ${phase}, ${program}`, runMs);
      rounds.push(await runRound({ ...size, flags, onRun }));
    }
    result.sizes.push({ title, runs, phases: summaryOfPhases(rounds), ...summarize(rounds) });
    if (json !== undefined) await writeResult(result, json);
  }
  step.done("measured");
  await present(result);
}

/**
 * Runs one round: new stacks go through all phases. After the first two, the programs run in turn in each phase, so
 * that a drift of the machine's speed affects all. `open(program, states)` makes the stack of a program, and may use
 * the states of the programs before it. `declare(stack, phase)` sets what its program declares. `skipped` are phases.
 * Resolves with `{ runs: { [phase]: { [program]: run } }, states: { [program]: resources after the up } }`.
 */
export async function runRound({ programs, open, declare, skipped = [], flags = [], onRun }) {
  const stacks = [];
  const runs = {};
  const states = {};
  const measure = async (stack, [phase, command]) => {
    onRun?.(stack.name, phase);
    declare?.(stack, phase);
    runs[phase] = { ...runs[phase], [stack.name]: await stack.run(command, flags) };
  };
  try {
    for (const program of programs) {
      const stack = await open(program, states);
      stacks.push(stack);
      for (const run of Object.entries(FIRST_RUNS)) await measure(stack, run);
      states[program] = await stack.resources();
    }
    const later = Object.entries(LATER_RUNS).filter(([phase]) => !skipped.includes(phase));
    for (const run of later) for (const stack of stacks) await measure(stack, run);
  } finally {
    for (const stack of stacks) await stack.close();
  }
  return { runs, states };
}
