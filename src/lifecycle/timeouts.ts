import { goDurationMs } from "../duration";
import type { Timeouts } from "./request";
import type { Finding } from "./kind";

/** The time that the program gives a call; undefined where it gives none, or none to speak of ("0s"). */
export function timeoutMs(timeouts: Timeouts, verb: keyof Timeouts): number | undefined {
  return goDurationMs(timeouts[verb] ?? "") || undefined;
}

/** The ones that are durations: the engine refuses others with a stack trace, before check can say what is wrong with them. */
export function wellFormed(timeouts: Timeouts): Timeouts {
  return Object.fromEntries(Object.entries(timeouts).filter(([, text]) => goDurationMs(text) !== undefined));
}

/** What is wrong with `customTimeouts`. */
export function timeoutFindings(timeouts: Timeouts): readonly Finding[] {
  return Object.entries(timeouts)
    .filter(([, text]) => goDurationMs(text) === undefined)
    .map(([verb, text]) => ({
      severity: "failure",
      field: `customTimeouts.${verb}`,
      reason: `must be a duration such as "90s" or "1h30m", and is ${JSON.stringify(text)}`,
    }));
}
