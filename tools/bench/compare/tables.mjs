import { inWords } from "../requests.mjs";
import { howOften, size, time } from "../tables.mjs";

const NAMES = { package: "this package", floor: "the floor", plain: "the plain provider" };

/** The plain provider is left out where there are many resources (`--plain-up-to`). */
const NOT_MEASURED = "–";

/** The tables of a comparison: for each size the times, and what it takes beside time. */
export function comparisonTables({ sizes }) {
  return sizes.flatMap((measured) => [timesOf(measured), costsOf(measured)]);
}

function timesOf({ resources, runs, phases }) {
  const rows = Object.entries(phases).map(([phase, { package: ours, floor, plain }]) => [
    phase,
    ...[ours, floor, plain].map((measured) => (measured ? time(measured.wallMs) : NOT_MEASURED)),
    time(ours.wallMs - floor.wallMs),
    (ours.wallMs / floor.wallMs).toFixed(2),
    plain ? (ours.wallMs / plain.wallMs).toFixed(2) : NOT_MEASURED,
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
    programs.plain ? inWords(programs.plain.calls) : NOT_MEASURED,
    ...["package", "floor", "plain"].map((program) =>
      programs[program] ? size(programs[program].peakBytes) : NOT_MEASURED,
    ),
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
