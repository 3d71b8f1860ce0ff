import type { Dispatcher } from "undici";
import type { FaultProxy } from "../../support/proxy/fault-proxy";
import type { VirtualClock } from "../../support/virtual-clock";
import type { Sabotage } from "./sabotage";
import type { Service } from "./service";
import type { Hits } from "./wire";

/** The service, network and clock that a schedule is played on. */
export interface Laboratory {
  readonly service: Service;
  /** The proxy in front of the service. */
  readonly proxy: FaultProxy;
  /** The service's, and each machine's but for its skew. */
  readonly clock: VirtualClock;
  /** The connection to the service. */
  readonly agent: Dispatcher;
  /** How often each fault has happened is added here. */
  readonly hits: Hits;
  /** A mistake that is made on purpose. */
  readonly sabotage?: Sabotage;
}

/** Runs seeds, one at a time. */
export interface Campaign {
  /** Resolves with what broke; `hits` is counted up by each fault that happened. */
  run(seed: number, hits: Hits): Promise<Violation | undefined>;
  close(): Promise<void>;
}

/** A schedule that broke an invariant. */
export interface Violation {
  /** For people: what is wrong, the schedule in words, how to repeat it. */
  readonly text: string;
}

interface Told {
  readonly seed: number;
  readonly found: readonly string[];
  /** The schedule. */
  readonly words: string;
  /** The flags before the seed in the command that repeats it. */
  readonly flags: string;
}

/** The text of a violation. */
export function violationText({ seed, found, words, flags }: Told): string {
  const indented = (text: string): string => text.replaceAll(/^/gm, "  ");
  return [
    `Seed ${seed} breaks what must hold:`,
    ...found.map(indented),
    "The schedule, as small as it could be made:",
    indented(words),
    `Repeat it: npm run chaos -- ${flags}--seed ${seed} --count 1`,
  ].join("\n");
}
