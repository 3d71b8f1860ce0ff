import type { Hits } from "./wire";

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
  /** What stands before the seed in the command that repeats it. */
  readonly flags: string;
}

/** What a violation says to people. */
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
