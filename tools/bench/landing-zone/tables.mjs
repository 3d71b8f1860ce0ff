import { inWords } from "../requests.mjs";
import { howOften, size, time } from "../tables.mjs";

/** The tables of `npm run bench -- landing-zone`: the times beside the floor's, and what it takes beside time. */
export function landingZoneTables({ resources, created, runs, phases }) {
  const all = Object.entries(phases);
  return [
    {
      title: `The landing zone, ${resources} resources with ${created} objects at the API: times, ${howOften(runs)}`,
      head: ["phase", "package (a)", "floor (b)", "a − b", "a / b"],
      rows: all.map(([phase, { package: ours, floor }]) => [
        phase,
        ...[ours.wallMs, floor.wallMs, ours.wallMs - floor.wallMs].map(time),
        (ours.wallMs / floor.wallMs).toFixed(2),
      ]),
    },
    {
      title: "The landing zone: API calls, and the most memory that the plugin took",
      head: ["phase", "calls", "memory, package", "memory, floor"],
      texts: 2,
      rows: all.map(([phase, { package: ours, floor }]) => [
        phase,
        inWords(ours.calls),
        size(ours.peakBytes),
        size(floor.peakBytes),
      ]),
    },
  ];
}
