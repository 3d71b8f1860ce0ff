// How fast the simulator is, in a process of its own with the load generator beside it:
// `npm run bench -- simulator [--resources 100000] [--rounds 5] [--seconds 3] [--concurrency 64] [--json <file>]`. In the JSON:
//   {
//     "bench": "simulator", "command": …, "machine": …,
//     "resources": 100000, "rounds": 5, "seconds": 3, "concurrency": 64,    as asked for
//     "rates": {                                                             medians of the rounds
//       "creates": { "perSecond": 1, "simulatorCpuUs": 1, "loadCpuUs": 1 },  POSTs of a firewall rule, until there are `resources`
//       "reads": …,                                                          GETs of one firewall rule, from anywhere in the list
//       "pages": …                                                           pages of 20, from anywhere in the list
//     },
//     "pageMs": [                                                            a page of 20, one at a time, medians
//       { "resources": 100, "first": 1, "middle": 1, "last": 1 }, …          the smallest collection first
//     ],
//     "pageRatios": { "first": 1, "middle": 1, "last": 1 },                  the largest collection's over the smallest's
//     "memoryMegabytes": { "start": 1, "created": 1, "end": 1, "peak": 1 }   resident, of the simulator's process
//   }
// `simulatorCpuUs` and `loadCpuUs` are processor time for each request, in microseconds, of the simulator's process and of this
// one. Without a /proc `simulatorCpuUs` and `memoryMegabytes` are null.
import { commandGiven, count, positive, readOptions } from "./command-line.mjs";
import { machine } from "./machine.mjs";
import { medians } from "./median.mjs";
import { present } from "./result.mjs";
import { FirewallRules } from "./simulator/firewall-rules.mjs";
import { SimulatorProcess } from "./simulator/process.mjs";
import { RequestLoad } from "./simulator/request-load.mjs";

const options = readOptions({ resources: "100000", rounds: "5", seconds: "3", concurrency: "64", json: undefined });
const settings = {
  resources: count("resources", options.resources),
  rounds: count("rounds", options.rounds),
  seconds: positive("seconds", options.seconds),
  concurrency: count("concurrency", options.concurrency),
};
const say = (text) => void process.stderr.write(`${text}\n`);

async function measureAll({ resources, rounds, seconds }, simulator, rules) {
  const inRounds = async (what, run) => {
    const measured = [];
    for (let round = 1; round <= rounds; round += 1) {
      say(`${what}: round ${round} of ${rounds}`);
      measured.push(await run(round));
    }
    return medians(measured);
  };
  const timePages = async (listed, count) => {
    say(`pages of ${count} firewall rules`);
    return { resources: count, ...(await rules.timePages(listed.pages)) };
  };

  const atStart = simulator.memoryMegabytes();
  const [few, more] = [Math.ceil(resources / 1000), Math.ceil(resources / 10)];
  await rules.createUntil(few);
  const ofFew = await rules.walk();
  say("warming up");
  await rules.readFor(ofFew.pages, seconds);
  const pageMs = [await timePages(ofFew, few)];
  await rules.createUntil(more);
  pageMs.push(await timePages(await rules.walk(), more));
  const creates = await inRounds("creates", (round) =>
    rules.createUntil(Math.round(more + ((resources - more) * round) / rounds)),
  );
  const afterCreates = simulator.memoryMegabytes();
  const ofAll = await rules.walk();
  pageMs.push(await timePages(ofAll, resources));
  const [onePaths, pagePaths] = [shuffled(ofAll.rules), shuffled(ofAll.pages)];
  const reads = await inRounds("reads", () => rules.readFor(onePaths, seconds));
  const pages = await inRounds("pages", () => rules.readFor(pagePaths, seconds));
  const atEnd = simulator.memoryMegabytes();
  const ratio = (place) => pageMs.at(-1)[place] / pageMs[0][place];
  return {
    rates: { creates, reads, pages },
    pageMs,
    pageRatios: { first: ratio("first"), middle: ratio("middle"), last: ratio("last") },
    memoryMegabytes: atEnd && { start: atStart.now, created: afterCreates.now, end: atEnd.now, peak: atEnd.peak },
  };
}

/** In an order that has nothing to do with the present one, and is the same in each run. */
function shuffled(items) {
  const step = 7919; // a prime: every item is met, unless their number is a multiple of it
  return items.map((_, index) => items[(index * step) % items.length]);
}

const made = { bench: "simulator", command: commandGiven("simulator"), machine: machine() };
const simulator = await SimulatorProcess.start();
const load = new RequestLoad(simulator, settings.concurrency);
try {
  const measured = await measureAll(settings, simulator, new FirewallRules(load, simulator.vpcId));
  await present({ ...made, ...settings, ...measured }, options.json);
} finally {
  await load.close();
  await simulator.close();
}
