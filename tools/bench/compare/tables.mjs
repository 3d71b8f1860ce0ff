import { inWords } from "../requests.mjs";
import { howOften, size, time } from "../tables.mjs";

const NAMES = { package: "this package", floor: "the floor", plain: "the plain provider" };

/** The tables of a comparison: for each size the times, and what it takes beside time. */
export function comparisonTables({ sizes }) {
  return sizes.flatMap((measured) => [timesOf(measured), costsOf(measured)]);
}

function timesOf({ resources, runs, phases }) {
  const rows = Object.entries(phases).map(([phase, { package: ours, floor, plain }]) => [
    phase,
    ...[ours, floor, plain].map(({ wallMs }) => time(wallMs)),
    time(ours.wallMs - floor.wallMs),
    (ours.wallMs / floor.wallMs).toFixed(2),
    (ours.wallMs / plain.wallMs).toFixed(2),
  ]);
  return {
    title: `${resources} firewall rules: times, ${howOften(runs)}`,
    head: ["phase", "package (a)", "floor (b)", "plain (c)", "a − b", "a / b", "a / c"],
    rows,
  };
}

function costsOf({ resources, phases, stateBytes }) {
  const rows = Object.entries(phases).map(([phase, programs]) => [
    phase,
    inWords(programs.package.calls),
    inWords(programs.plain.calls),
    ...["package", "floor", "plain"].map((program) => size(programs[program].peakBytes)),
  ]);
  const states = Object.entries(stateBytes).map(
    ([program, { largest, mean }]) => `${NAMES[program]} ${size(largest)} at most, ${size(mean)} on average`,
  );
  return {
    title: `${resources} firewall rules: API calls, and the most memory that the plugin took`,
    head: ["phase", "calls, package", "calls, plain", "memory, package", "memory, floor", "memory, plain"],
    texts: 3,
    rows,
    note: `A resource in the state, as compact JSON: ${states.join("; ")}.`,
  };
}
