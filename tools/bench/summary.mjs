/**
 * Measures rounds one after another, and shows the progress. `round` calls its argument before each run of a program.
 */
export async function measureRounds({ step, times, title = "", runMs }, round) {
  const rounds = [];
  for (let nth = 1; nth <= times; nth += 1)
    rounds.push(
      await round((program, phase) => step.phase(`${title}round ${nth} of ${times}: ${phase}, ${program}`, runMs)),
    );
  return rounds;
}

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
 *         calls: { [kind]: number },                       medians; without kinds that were not called
 *         peakBytes,                                       the most memory of the plugin in any run; null if the system does not report it
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
  const stateBytes = mapped(rounds[0].stateBytes, (program) => {
    const bytes = rounds.flatMap((round) => round.stateBytes[program]);
    return { largest: Math.max(...bytes), mean: Math.round(bytes.reduce((a, b) => a + b, 0) / bytes.length) };
  });
  return { resources, runs, phases: summaryOfPhases(rounds), stateBytes };
}

/** For each phase and program, the medians of its runs in all rounds. */
export function summaryOfPhases(rounds) {
  return mapped(rounds[0].runs, (phase, programs) =>
    mapped(programs, (program) => summaryOfRuns(rounds.map(({ runs }) => runs[phase][program]))),
  );
}

function mapped(object, valueOf) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, valueOf(name, value)]));
}

function summaryOfRuns(runs) {
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

/** The median of numbers. For an even count, the mean of the middle two. NaN if there are none. */
function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1] + sorted[Math.floor(middle)]) / 2;
}

/**
 * An object whose members are the medians of the given objects' members. Null if a member is unknown in one of them.
 */
export function medians(objects) {
  const medianOf = (values) => (values.includes(null) ? null : median(values));
  return mapped(objects[0], (name) => medianOf(objects.map((one) => one[name])));
}
