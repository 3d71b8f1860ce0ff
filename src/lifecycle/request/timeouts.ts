import { goDurationMs } from "../../settings/duration";
import type { Timeouts } from "./resource-request";
import type { Finding } from "../kind/kind";

/** The program's time limit of a call. Undefined if it gives none, or "0s". */
export function timeoutMs(timeouts: Timeouts, verb: keyof Timeouts): number | undefined {
  return goDurationMs(timeouts[verb] ?? "") || undefined;
}

/** The valid durations. The engine refuses others with a stack trace, before check can report them. */
export function wellFormed(timeouts: Timeouts): Timeouts {
  return Object.fromEntries(Object.entries(timeouts).filter(([, text]) => goDurationMs(text) !== undefined));
}

/** Findings on `customTimeouts`. */
export function timeoutFindings(timeouts: Timeouts): readonly Finding[] {
  return Object.entries(timeouts)
    .filter(([, text]) => goDurationMs(text) === undefined)
    .map(([verb, text]) => ({
      severity: "failure",
      field: `customTimeouts.${verb}`,
      reason: `must be a duration such as "90s" or "1h30m", and is ${JSON.stringify(text)}`,
    }));
}
