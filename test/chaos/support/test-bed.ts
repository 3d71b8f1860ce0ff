import type { Dispatcher } from "undici";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { VirtualClock } from "../../support/virtual-clock";
import type { Sabotage } from "./sabotage";
import type { Service } from "./service";
import type { Hits } from "./wire";

/** The service, network and clock for a schedule. */
export interface TestBed {
  readonly service: Service;
  /** The proxy in front of the service. */
  readonly proxy: FaultProxy;
  /** The service's, and each machine's but for its skew. */
  readonly clock: VirtualClock;
  /** The connection to the service. */
  readonly agent: Dispatcher;
  /** Counts how often each fault has happened. */
  readonly hits: Hits;
  /** A deliberate mistake in the code under test. */
  readonly sabotage?: Sabotage;
}

/** Runs seeds in sequence. */
export interface Campaign {
  /** Resolves with a report for people if a schedule breaks an invariant. Adds each fault that happened to `hits`. */
  run(seed: number, hits: Hits): Promise<string | undefined>;
  close(): Promise<void>;
}

interface BrokenSchedule {
  readonly seed: number;
  readonly found: readonly string[];
  /** The schedule. */
  readonly words: string;
  /** The flags before the seed in the command that repeats the schedule. */
  readonly flags: string;
}

/** A report for people: what is wrong, the schedule in words, and how to repeat it. */
export function violationText({ seed, found, words, flags }: BrokenSchedule): string {
  const indented = (text: string): string => text.replaceAll(/^/gm, "  ");
  return [
    `Seed ${seed} breaks what must hold:`,
    ...found.map(indented),
    "The schedule, as small as it could be made:",
    indented(words),
    `Repeat it: npm run chaos -- ${flags}--seed ${seed} --count 1`,
  ].join("\n");
}
