import { goal } from "../tables.mjs";

/** The tables of `npm run bench -- simulator`: what is in its result stands in ../simulator.mjs. */
export function simulatorTables({ resources, rounds, concurrency, rates, pageMs, pageRatios, memoryMegabytes }) {
  return [
    {
      title: `${whole(resources)} firewall rules, ${concurrency} requests at a time, medians of ${rounds} rounds`,
      head: ["requests", "a second", "CPU each", "CPU each, load generator"],
      rows: Object.entries(rates).map(([what, { perSecond, simulatorCpuUs, loadCpuUs }]) => [
        what,
        whole(perSecond),
        `${whole(simulatorCpuUs)} µs`,
        `${whole(loadCpuUs)} µs`,
      ]),
    },
    {
      title: "One page of 20, one request at a time",
      head: ["in a list of", "first", "middle", "last"],
      rows: [
        ...pageMs.map(({ resources: count, ...ms }) => [`${whole(count)} firewall rules`, ...places(ms, " ms")]),
        ["ratio, largest to smallest", ...places(pageRatios, "")],
      ],
      note: `The simulator's resident memory: ${memoryLine(memoryMegabytes)}`,
    },
  ];
}

/** The goals of the simulator. */
export function simulatorGoals({ resources, rates: { reads, creates }, pageRatios, memoryMegabytes: memory }) {
  const ratio = Math.max(...Object.values(pageRatios));
  return [
    goal("reads a second, at least 5,000", whole(reads.perSecond), reads.perSecond >= 5000),
    goal("creates a second, at least 1,500", whole(creates.perSecond), creates.perSecond >= 1500),
    goal(
      `${whole(resources)} resources in memory, under 500 MB`,
      memory === null ? "unknown" : `${memory.created} MB; ${memory.peak} MB while they are read as fast as can be`,
      memory !== null && memory.peak < 500,
    ),
    // Twice is what noise can do to times below a millisecond; a list that is walked would be a thousand times slower.
    goal("pages in constant time: the largest list's over the smallest's, under 2", ratio.toFixed(2), ratio < 2),
  ];
}

function memoryLine(memoryMegabytes) {
  if (memoryMegabytes === null) return "unknown";
  return Object.entries(memoryMegabytes)
    .map(([when, megabytes]) => `${megabytes} MB (${when})`)
    .join(", ");
}

function places({ first, middle, last }, unit) {
  return [first, middle, last].map((number) => `${number.toFixed(2)}${unit}`);
}

function whole(number) {
  return number === null ? "unknown" : Math.round(number).toLocaleString("en");
}
