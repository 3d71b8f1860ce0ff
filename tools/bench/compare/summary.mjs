import { median } from "../median.mjs";
import { PHASES } from "./round.mjs";

/**
 * The result of a comparison, as it is written to JSON:
 *
 *   {
 *     bench: "compare", command,                           the command that makes it
 *     machine: { date, cores, processor, memoryGb, system, load, node, engine },
 *     settings: { operationTime, latency, parallel },      of the simulator; operations that the engine runs at a time
 *     sizes: [{
 *       resources, runs,
 *       phases: { [phase]: { [program]: {
 *         wallMs, wallMsOfRuns,                            the median, and each run
 *         calls: { [kind]: number },                       medians; a kind that there is not is left out
 *         peakBytes,                                       the most memory of the plugin in any run; null where the system does not tell
 *       } } },
 *       stateBytes: { [program]: { largest, mean } },      of a resource, as compact JSON
 *     }],
 *   }
 *
 * `sizes` of the argument are `{ resources, runs, rounds }`, each round as `runRound` gives it.
 */
export function summarize({ command, machine, settings, sizes }) {
  return { bench: "compare", command, machine, settings, sizes: sizes.map(summaryOfSize) };
}

function summaryOfSize({ resources, runs, rounds }) {
  const programs = Object.keys(rounds[0].stateBytes);
  const each = (valueOf) => Object.fromEntries(programs.map((program) => [program, valueOf(program)]));
  const phases = PHASES.map((phase) => [
    phase,
    each((program) => summaryOfRuns(rounds.map((round) => round.runs[phase][program]))),
  ]);
  const stateBytes = each((program) => {
    const bytes = rounds.flatMap((round) => round.stateBytes[program]);
    return { largest: Math.max(...bytes), mean: Math.round(bytes.reduce((a, b) => a + b, 0) / bytes.length) };
  });
  return { resources, runs, phases: Object.fromEntries(phases), stateBytes };
}

/** The medians of runs of the same phase and program. */
export function summaryOfRuns(runs) {
  const wallMsOfRuns = runs.map(({ wallMs }) => Math.round(wallMs));
  const kinds = [...new Set(runs.flatMap(({ calls }) => Object.keys(calls)))];
  const medians = kinds.map((kind) => [kind, median(runs.map(({ calls }) => calls[kind] ?? 0))]);
  const peaks = runs.map(({ peakBytes }) => peakBytes).filter((bytes) => bytes !== null);
  return {
    wallMs: Math.round(median(wallMsOfRuns)),
    wallMsOfRuns,
    calls: Object.fromEntries(medians.filter(([, count]) => count > 0)),
    peakBytes: peaks.length === 0 ? null : Math.max(...peaks),
  };
}
