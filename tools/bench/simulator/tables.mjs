import Table from "cli-table3";

// No colours: the text goes into files too.
const style = { head: [], border: [] };

/** The results of `npm run bench -- simulator`, in the shape that simulator.mjs describes, as text. */
export function tablesOf({ resources, rounds, concurrency, rates, pageMs, pageRatios, memoryMegabytes }) {
  return [
    `${resources} firewall rules, ${concurrency} requests at a time, medians of ${rounds} rounds`,
    ratesTable(rates),
    pagesTable(pageMs, pageRatios),
    `the simulator's resident memory: ${memoryLine(memoryMegabytes)}`,
  ].join("\n");
}

function ratesTable(rates) {
  const table = new Table({ head: ["", "a second", "CPU each", "CPU each, load generator"], style });
  const whole = (number) => (number === null ? "unknown" : String(Math.round(number)));
  for (const [what, { perSecond, simulatorCpuUs, loadCpuUs }] of Object.entries(rates)) {
    table.push([what, whole(perSecond), `${whole(simulatorCpuUs)} µs`, `${whole(loadCpuUs)} µs`]);
  }
  return table.toString();
}

function pagesTable(pageMs, pageRatios) {
  const table = new Table({ head: ["page of 20 of", "first", "middle", "last"], style });
  const add = (what, { first, middle, last }, unit) =>
    table.push([what, ...[first, middle, last].map((number) => `${number.toFixed(2)}${unit}`)]);
  for (const { resources, ...timesMs } of pageMs) add(`${resources} firewall rules`, timesMs, " ms");
  add("ratio, largest to smallest", pageRatios, "");
  return table.toString();
}

function memoryLine(memoryMegabytes) {
  if (memoryMegabytes === null) return "unknown";
  return Object.entries(memoryMegabytes)
    .map(([when, megabytes]) => `${megabytes} MB (${when})`)
    .join(", ");
}
