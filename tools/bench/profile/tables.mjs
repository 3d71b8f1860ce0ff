import { size, time } from "../tables.mjs";

const PLACES_SHOWN = 12;
const FUNCTIONS_SHOWN = 10;

/** The tables of `npm run bench -- profile`. */
export function profileTables({ resources, cpu, allocations }) {
  const of = `of the plugin, \`up\` of ${resources} firewall rules`;
  return [
    placeTable(`Processor time ${of}: ${time(cpu.total)} in all, garbage collection included`, cpu, time),
    functionTable("Functions by their own processor time", cpu, time),
    placeTable(`Allocations ${of}: ${size(allocations.total)} in all, most of it freed again`, allocations, size),
    functionTable("Functions by their own allocations", allocations, size),
  ];
}

function placeTable(title, { total, places }, spell) {
  const shown = [...places].sort((a, b) => b.inclusive - a.inclusive);
  const known = new Set([...places.slice(0, PLACES_SHOWN), ...shown.slice(0, PLACES_SHOWN)]);
  return {
    title,
    head: ["package or file", "own", "share", "with what it calls", "share"],
    rows: places
      .filter((place) => known.has(place))
      .map(({ name, self, inclusive }) => [
        name,
        spell(self),
        share(self, total),
        spell(inclusive),
        share(inclusive, total),
      ]),
    note: `The three largest: ${largest(places, total)}.`,
  };
}

/** This package counts as a whole here. */
function largest(places, total) {
  const whole = places.filter(({ name }) => !name.startsWith("dist/"));
  return whole
    .slice(0, 3)
    .map(({ name, self }) => `${name}, ${share(self, total)}`)
    .join("; ");
}

function functionTable(title, { total, functions }, spell) {
  return {
    title,
    head: ["function", "own", "share"],
    rows: functions.slice(0, FUNCTIONS_SHOWN).map(({ name, self }) => [name, spell(self), share(self, total)]),
  };
}

function share(part, total) {
  return `${((100 * part) / total).toFixed(1)} %`;
}
