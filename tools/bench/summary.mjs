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
