// A platform beside the engine's floor: `npm run bench -- landing-zone [--runs 3] [--operation-time 1s] [--latency
// 20ms] [--parallel <n>] [--json <file>]`. The program is examples/landing-zone; the floor has as many resources with
// the same inputs, and does nothing. engine-bench.mjs describes the JSON. Its only size also has `resources`, `created`
// and `collections`: see landing-zone-round.mjs.
import { count, readEngineOptions } from "./command-line.mjs";
import { runBench } from "./engine-bench.mjs";
import { landingZone, objectsOf } from "./landing-zone-round.mjs";

/** The usual time of a run on two cores, for the progress. */
const RUN_MS = 9000;

const { options, ...how } = readEngineOptions({ runs: "3" });
const size = {
  title: "The landing zone",
  runs: count("runs", options.runs),
  runMs: RUN_MS,
  ...landingZone(how.settings),
  summarize: ([{ states }]) => objectsOf(states.package),
};
await runBench({ name: "landing-zone", ...how, sizes: [size] });
