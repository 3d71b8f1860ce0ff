import type { Timeouts } from "./hidden-inputs";
import type { Finding } from "./kind";

/** The units of Go's durations, in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};
const PART = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

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

/** A duration as Go writes it, in milliseconds; undefined where it is none. */
function goDurationMs(text: unknown): number | undefined {
  if (text === "0") return 0;
  if (typeof text !== "string" || text === "" || text.replace(PART, "") !== "") return undefined;
  return [...text.matchAll(PART)].reduce((sum, [, amount, unit]) => sum + Number(amount) * (UNITS[unit ?? ""] ?? 0), 0);
}
