import fc from "fast-check";
import { Agent } from "undici";
import { FaultProxy } from "../../support/proxy/fault-proxy";
import { VirtualClock } from "../../support/virtual-clock";
import { violationsOf } from "./invariants";
import { type Campaign, type TestBed, violationText } from "./test-bed";
import { type Schedule, schedules } from "./schedule";
import { Service } from "./service";
import { ScheduleRun } from "./schedule-run";
import { inWords } from "./words";

/** How long a violation may be shrunk, in milliseconds. */
const SHRINKING_MS = 20_000;

/** A campaign of the lifecycle in one process, which runs seeds in sequence. */
export async function openCampaign(): Promise<Campaign> {
  const testBed = await openTestBed();
  return {
    run: (seed, hits) => runSeed({ ...testBed, hits }, seed),
    close: () => closeTestBed(testBed),
  };
}

/** Starts a service with a virtual clock. */
export async function openTestBed(): Promise<TestBed> {
  const clock = new VirtualClock();
  const service = await Service.start({ clock, operationTime: "1s" });
  const proxy = await FaultProxy.start(service.url);
  return { clock, service, proxy, agent: new Agent({ connections: 1, pipelining: 1 }), hits: new Map() };
}

/** Ends the service and the connection to it. */
export async function closeTestBed({ service, proxy, agent }: TestBed): Promise<void> {
  await agent.destroy();
  await proxy.close();
  await service.close();
}

/** Plays the schedule of a seed once, and returns the violations. */
export async function trySeed(testBed: TestBed, seed: number): Promise<readonly string[]> {
  return violationsOf(await ScheduleRun.play(testBed, scheduleOf(seed)));
}

/** Plays the schedule of a seed, and shrinks it if it breaks an invariant. */
async function runSeed(testBed: TestBed, seed: number): Promise<string | undefined> {
  const found = await trySeed(testBed, seed);
  if (found.length === 0) return undefined;
  const smallest = (await shrink(testBed, seed)) ?? { schedule: scheduleOf(seed), found };
  return violationText({ seed, found: smallest.found, words: inWords(smallest.schedule), flags: "" });
}

interface Smallest {
  readonly schedule: Schedule;
  readonly found: readonly string[];
}

async function shrink(testBed: TestBed, seed: number): Promise<Smallest | undefined> {
  const endsAt = Date.now() + SHRINKING_MS;
  let smallest: Smallest | undefined;
  const property = fc.asyncProperty(schedules, async (schedule) => {
    // After the limit, candidates are skipped. fast-check's own time limit would leave the current one running.
    if (Date.now() > endsAt) return true;
    const found = await violationsOf(await ScheduleRun.play({ ...testBed, hits: new Map() }, schedule));
    if (found.length > 0) smallest = { schedule, found };
    return found.length === 0;
  });
  await fc.check(property, { seed, numRuns: 1 });
  return smallest;
}

function scheduleOf(seed: number): Schedule {
  const [schedule] = fc.sample(schedules, { seed, numRuns: 1 });
  if (!schedule) throw new Error("fast-check has drawn nothing");
  return schedule;
}
