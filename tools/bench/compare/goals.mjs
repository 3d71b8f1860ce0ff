import ms from "ms";
import { total } from "../requests.mjs";
import { goal, size, time } from "../tables.mjs";

/** The goals that this comparison can tell of: those of 100 resources, and those that compare 1,000 with 100. */
export function comparisonGoals({ settings, sizes }) {
  const of = (resources) => sizes.find((size) => size.resources === resources);
  const [hundred, thousand] = [of(100), of(1000)];
  return [
    ...(hundred ? goalsOfHundred(hundred, settings) : []),
    ...(hundred && thousand ? goalsOfThousand(thousand, hundred) : []),
  ];
}

function goalsOfHundred({ phases, stateBytes }, { parallel, latency }) {
  const { "new preview": created, up, "no-change preview": unchanged, refresh, destroy } = phases;
  const quotes = total(created.package.calls, ["quote"]);
  // Beyond the price, each quote shows a body to the API, one after the other.
  const previewMs = Math.max(400, 0.1 * created.floor.wallMs) + (quotes - 1) * ms(latency);
  const operationsMs = 1300 * Math.ceil(100 / parallel);
  return [
    within("new preview, over the floor", created, previewMs),
    atMost("new preview, quotes", quotes, 100),
    within("up, over the floor", up, operationsMs),
    exactly("up, quotes of one price", total(up.package.calls, ["quote"]), 1),
    atMost("up, calls", total(up.package.calls), 250),
    within("no-change preview, over the floor", unchanged, 250),
    exactly("no-change preview, calls", total(unchanged.package.calls), 0),
    exactly("refresh, calls for one collection", total(refresh.package.calls), 1),
    within("destroy, over the floor", destroy, operationsMs),
    atMost("destroy, calls", total(destroy.package.calls), 150),
    goal("a resource in the state, at most 4 kB", size(stateBytes.package.largest), stateBytes.package.largest <= 4000),
  ].map(({ text, ...rest }) => ({ text: `100: ${text}`, ...rest }));
}

function goalsOfThousand(thousand, hundred) {
  const growths = Object.keys(thousand.phases).map((phase) => {
    const growth = (program, member) =>
      thousand.phases[phase][program][member] / 1000 / (hundred.phases[phase][program][member] / 100);
    return {
      phase,
      ms: growth("package", "wallMs"),
      floor: growth("floor", "wallMs"),
      bytes: growth("package", "peakBytes"),
    };
  });
  const worst = (member) => growths.reduce((a, b) => (b[member] > a[member] ? b : a));
  const [slowest, largest] = [worst("ms"), worst("bytes")];
  const memories = Object.entries(thousand.phases).map(([phase, programs]) => ({
    phase,
    ours: programs.package.peakBytes,
    floor: programs.floor.peakBytes,
  }));
  const isKnown = memories.every(({ ours, floor }) => ours !== null && floor !== null);
  const over = memories.map(({ phase, ours, floor }) => ({ phase, bytes: ours - floor }));
  const most = over.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  const times = `${slowest.ms.toFixed(2)} in ${slowest.phase} (the floor: ${slowest.floor.toFixed(2)})`;
  const memory = isKnown ? `${largest.bytes.toFixed(2)} in ${largest.phase}` : "unknown";
  return [
    goal("1,000: time a resource, at most 1.2 of that at 100", times, slowest.ms <= 1.2),
    goal("1,000: memory a resource, at most 1.2 of that at 100", memory, isKnown && largest.bytes <= 1.2),
    goal(
      "1,000: memory of the plugin, over the floor, at most 60 MB",
      isKnown ? (most.bytes > 0 ? `${size(most.bytes)} in ${most.phase}` : "none") : "unknown",
      isKnown && most.bytes <= 60e6,
    ),
  ];
}

function within(what, { package: ours, floor }, limitMs) {
  const addedMs = ours.wallMs - floor.wallMs;
  return goal(`${what}, at most ${time(limitMs)}`, time(addedMs), addedMs <= limitMs);
}

function atMost(what, measured, limit) {
  return goal(`${what}, at most ${limit}`, String(measured), measured <= limit);
}

function exactly(what, measured, wanted) {
  return goal(`${what}: ${wanted}`, String(measured), measured === wanted);
}
