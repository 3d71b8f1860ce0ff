import type { Temporal } from "temporal-polyfill";
import { UNKNOWN, containsUnknown } from "../engine/values";
import type { RetirementRule, Span } from "../definition/capabilities";
import { isRecord } from "../definition/compare-values";
import { failure, warning, type Finding, type Plan, type PlanContext, type Props } from "../definition/rule-context";
import { shownInput } from "../text/redaction";
import type * as Durations from "../time/calendar";
import type * as Schedule from "./key-schedule";
import type { KeySchedule, PlannedEnd } from "./key-schedule";
import { DAY_MS, dateText, oneYearAfter, timeOf } from "../time/utc";

// Loaded by the plugin only, so that a program loads no dates library. (Not with `import()`, which jest does not
// support.)
const durations = (): typeof Durations => require("../time/calendar") as typeof Durations;
const schedule = (): typeof Schedule => require("./key-schedule") as typeof Schedule;

/** The form of a lifetime and a window, for messages. */
export const DURATION_FORM = 'a duration such as "90d" or "P90D"';

/** The limit of `deleteOld.atLatest`. */
const MAX_WAIT_MS = 366 * DAY_MS;

/**
 * Plans a key with a lifetime. The end stays until the rotation is due. Then a new end in the inputs causes the
 * replacement.
 */
export async function planRotation(inputs: Props, context: PlanContext): Promise<Plan> {
  const { previous, adopted, replaced, lifetimeStart, generation, replacedId } = context;
  const lineage = { generation, replacedId };
  const triggered = previous !== undefined && inputs["rotationTrigger"] !== undefined && isTriggered(inputs, previous);
  const reason = triggered ? "rotates: rotationTrigger changed" : undefined;
  const end = { lifetime: inputs["lifetime"], rotateBefore: inputs["rotateBefore"], expiresAt: inputs["expiresAt"] };

  if (end.lifetime === undefined) {
    const findings = [
      ...(end.expiresAt === undefined
        ? [failure("expiresAt", 'is required: give it, or a lifetime such as "90d"')]
        : []),
      ...(end.rotateBefore === undefined ? [] : [failure("rotateBefore", "needs a lifetime")]),
    ];
    return { inputs: lineage, findings, reason };
  }
  if (containsUnknown([end.lifetime, end.rotateBefore])) {
    return {
      inputs: { ...lineage, expiresAt: previous?.["expiresAt"] ?? UNKNOWN, rotatesAt: UNKNOWN },
      findings: [],
      reason,
      lifetimeStart,
    };
  }
  // `ignoreChanges` adds the end that check has made to the program's inputs. It counts as planned.
  const earlier = previous ?? replaced;
  if (end.expiresAt !== undefined && end.expiresAt === earlier?.["expiresAt"]) {
    const { rotatesAt } = earlier;
    const isDue = !reason && previous && Date.parse(String(rotatesAt)) <= (await context.apiTime());
    const findings = isDue ? [ignoredRotation(String(rotatesAt))] : [];
    return { inputs: { ...lineage, rotatesAt }, findings, reason, lifetimeStart };
  }
  if (end.expiresAt !== undefined) {
    const reason =
      "is given beside a lifetime, which sets it: remove expiresAt. Or remove the lifetime, and the key is not renewed";
    return { inputs: lineage, findings: [failure("expiresAt", reason)] };
  }

  const now = await context.apiTime();
  const keys = keyScheduleOf(end.lifetime, end.rotateBefore, now);
  if ("findings" in keys) return { inputs: { ...lineage, expiresAt: UNKNOWN }, findings: keys.findings };
  const current = adopted ? currentEnd(adopted) : currentEnd(previous, lifetimeStart);
  const { planKey, rotationOf, windowOf } = schedule();
  // An adoption does not rotate: if the key is due, the next run replaces it.
  const plan =
    adopted && current ? { ...current, rotatesAt: rotationOf(keys, current), due: false } : planKey(keys, current, now);
  return {
    inputs: { ...lineage, expiresAt: dateText(plan.expiresAt), rotatesAt: dateText(plan.rotatesAt) },
    findings: waitFindings(inputs, windowOf(keys, plan.expiresAt)),
    reason: plan.due && current ? rotationReason(keys, current, now) : reason,
    lifetimeStart: plan.start === undefined ? undefined : dateText(plan.start),
  };
}

/** The most months that a duration may have. */
const MAX_MONTHS = 12;

/** Warnings of durations such as `"3m"`, which may be meant as months. */
export function minutesFindings(inputs: Props): readonly Finding[] {
  const deleteOld = isRecord(inputs["deleteOld"]) ? inputs["deleteOld"] : {};
  const given = {
    lifetime: inputs["lifetime"],
    rotateBefore: inputs["rotateBefore"],
    "deleteOld.whenQuietFor": deleteOld["whenQuietFor"],
    "deleteOld.atLatest": deleteOld["atLatest"],
  };
  return Object.entries(given).flatMap(([field, text]) => {
    const [, count] = /^(\d+)\s*m$/i.exec(String(text)) ?? [];
    if (count === undefined || Number(count) > MAX_MONTHS) return [];
    const advice = `Write "P${count}M" for months, or "PT${count}M" for minutes without this warning`;
    return [warning(field, `is in minutes: ${shownInput(text)}. ${advice}`)];
  });
}

function isTriggered(inputs: Props, previous: Props): boolean {
  return JSON.stringify(inputs["rotationTrigger"]) !== JSON.stringify(previous["rotationTrigger"]);
}

function keyScheduleOf(
  lifetimeText: unknown,
  windowText: unknown,
  now: number,
): KeySchedule | { readonly findings: readonly Finding[] } {
  const { after, isShorter } = durations();
  const [lifetime, rotateBefore] = [durationIn(lifetimeText), durationIn(windowText)];
  const findings: Finding[] = [];
  const [given, window] = [shownInput(lifetimeText), shownInput(windowText)];
  const wrong = (field: string, text: unknown): void => {
    // The schema refuses a value that is not a text.
    if (typeof text !== "string") return;
    findings.push(failure(field, `must be ${durationRule(text)} (is ${shownInput(text)})`));
  };
  if (!lifetime) wrong("lifetime", lifetimeText);
  else if (after(now, lifetime) > oneYearAfter(now)) {
    findings.push(failure("lifetime", `must be at most one year (is ${given})`));
  }
  if (!rotateBefore) wrong("rotateBefore", windowText);
  if (lifetime && rotateBefore && !isShorter(now, rotateBefore, lifetime)) {
    findings.push(failure("rotateBefore", `must be shorter than the lifetime of ${given} (is ${window})`));
  }
  return lifetime && findings.length === 0 ? { lifetime, rotateBefore } : { findings };
}

/** The end of the present key. Undefined for a new key. */
function currentEnd(props: Props | undefined, lifetimeStart?: string): PlannedEnd | undefined {
  const expiresAt = timeOf(props?.["expiresAt"]);
  if (expiresAt === undefined) return undefined;
  const lifetime = durationIn(props?.["lifetime"]);
  return { expiresAt, start: timeOf(lifetimeStart) ?? (lifetime && durations().before(expiresAt, lifetime)) };
}

/** Why a key is due: `rotates: expires 2027-02-01, window 14d`. */
function rotationReason(keys: KeySchedule, current: PlannedEnd, now: number): string {
  const end = dateText(current.expiresAt).slice(0, 10);
  if (now >= current.expiresAt) return `rotates: expired ${end}`;
  const rotatesAt = schedule().rotationOf(keys, { expiresAt: current.expiresAt });
  if (now < rotatesAt) return `rotates: a shorter lifetime is over, expires ${end}`;
  return `rotates: expires ${end}, window ${Math.round((current.expiresAt - rotatesAt) / DAY_MS)}d`;
}

function ignoredRotation(rotatesAt: string): Finding {
  const due = `the rotation was due on ${rotatesAt.slice(0, 10)}`;
  const kept = "`ignoreChanges` keeps this end: no run renews the key before you remove that";
  return warning("expiresAt", `${due}, and ${kept}`);
}

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
  if (atLatest.ms > MAX_WAIT_MS) return [fail("atLatest", "must be at most one year")];
  if (whenQuietFor.ms <= atLatest.ms) return [];
  return [fail("whenQuietFor", `must not be longer than atLatest of ${shownInput(atLatest.text)}`)];
}

/** A finding if a replaced key could expire before `atLatest`: its rotation is due `windowMs` before its end. */
function waitFindings(inputs: Props, windowMs: number): readonly Finding[] {
  const { atLatest } = retirementRule(inputs) ?? {};
  // Months have different lengths, so both durations are measured in the same way.
  const longest = spanOf(inputs["rotateBefore"])?.ms ?? windowMs;
  if (atLatest === undefined || atLatest.ms <= longest || atLatest.ms > MAX_WAIT_MS) return [];
  const hours = Math.floor(longest / 3_600_000);
  const time = hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`;
  const reason =
    `must be at most ${time}: the old key expires ${time} after its rotation (is "${atLatest.text}"). ` +
    `Give rotateBefore: "${atLatest.text}", or a shorter atLatest`;
  return [failure("deleteOld.atLatest", reason)];
}

/** The rule that a wrong duration breaks, for messages. */
function durationRule(text: unknown): string {
  return typeof text === "string" && durations().isTooShort(text) ? "longer than 0" : DURATION_FORM;
}

function spanOf(text: unknown): Span | undefined {
  const duration = durationIn(text);
  return duration && { text: String(text), ms: durations().after(0, duration) };
}

function durationIn(text: unknown): Temporal.Duration | undefined {
  return typeof text === "string" ? durations().parseDuration(text) : undefined;
}
