import type { RetirementRule, Span } from "../definition/capabilities";
import { isRecord } from "../definition/compare-values";
import { failure, type Finding, type Props } from "../definition/rule-context";
import type * as Durations from "../rotation/calendar";
import { DAY_MS } from "../process/utc";
import { shownInput } from "../text/shown-text";

/** The form of a lifetime and a window, for messages. */
export const DURATION_FORM = 'a duration such as "90d" or "P90D"';

/** The longest lifetime of a key. */
const LONGEST_MS = 366 * DAY_MS;

/** The rule that `deleteOld` gives. Undefined for a word, and for invalid durations, which check refuses. */
export function retirementRule({ deleteOld }: Props): RetirementRule | undefined {
  if (!isRecord(deleteOld)) return undefined;
  const [whenQuietFor, atLatest] = [spanOf(deleteOld["whenQuietFor"]), spanOf(deleteOld["atLatest"])];
  return whenQuietFor && atLatest ? { whenQuietFor, atLatest } : undefined;
}

/** The faults of the durations. The schema refuses values that are not texts. */
export function retirementFindings({ deleteOld }: Readonly<{ deleteOld?: unknown }>): readonly Finding[] {
  if (!isRecord(deleteOld)) return [];
  const fail = (name: string, reason: string): Finding =>
    failure(`deleteOld.${name}`, `${reason} (is ${shownInput(deleteOld[name])})`);
  // The schema refuses missing ones.
  const given = ["whenQuietFor", "atLatest"].filter((name) => deleteOld[name] !== undefined);
  const wrong = given.filter((name) => spanOf(deleteOld[name]) === undefined);
  if (wrong.length > 0) return wrong.map((name) => fail(name, `must be ${durationRule(deleteOld[name])}`));
  const { whenQuietFor, atLatest } = retirementRule({ deleteOld }) ?? {};
  if (!whenQuietFor || !atLatest) return [];
  if (atLatest.ms > LONGEST_MS) return [fail("atLatest", "must be at most one year")];
  if (whenQuietFor.ms <= atLatest.ms) return [];
  return [fail("whenQuietFor", `must not be longer than atLatest of ${shownInput(atLatest.text)}`)];
}

/** A finding if the old key would expire before `atLatest`: its rotation is due `windowMs` before its end. */
export function waitFindings(inputs: Props, windowMs: number): readonly Finding[] {
  const { atLatest } = retirementRule(inputs) ?? {};
  // Months have different lengths, so both durations are measured in the same way.
  const longest = spanOf(inputs["rotateBefore"])?.ms ?? windowMs;
  if (atLatest === undefined || atLatest.ms <= longest || atLatest.ms > LONGEST_MS) return [];
  const hours = Math.floor(longest / 3_600_000);
  const time = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
  const reason =
    `must be at most ${time}: the old key expires ${time} after its rotation (is "${atLatest.text}"). ` +
    `Give rotateBefore: "${atLatest.text}", or a shorter atLatest`;
  return [failure("deleteOld.atLatest", reason)];
}

/** The rule that a wrong duration breaks, for messages. */
export function durationRule(text: unknown): string {
  return typeof text === "string" && loadDurations().isTooShort(text) ? "longer than 0" : DURATION_FORM;
}

/** Loaded by the plugin only, so that a program loads no dates library. (Not with `import()`, which jest does not support.) */
function loadDurations(): typeof Durations {
  return require("../rotation/calendar") as typeof Durations;
}

function spanOf(text: unknown): Span | undefined {
  if (typeof text !== "string") return undefined;
  const { parseDuration, after } = loadDurations();
  const duration = parseDuration(text);
  return duration && { text, ms: after(0, duration) };
}
