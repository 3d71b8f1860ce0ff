import { UNKNOWN, containsUnknown } from "../engine/values";
import { failure, warning } from "../definition/rule-context";
import { shownInput } from "../text/shown-text";
import type { Finding, Plan, PlanContext, Props } from "../lifecycle/kind/kind";
import type * as Durations from "../rotation/calendar";
import type * as Schedule from "../rotation/key-schedule";
import type { KeySchedule, PlannedEnd } from "../rotation/key-schedule";
import { DAY_MS, dateText, oneYearAfter } from "../process/utc";
import { durationRule, waitFindings } from "./api-key-retirement";

/** The modules for keys with a lifetime, which a program does not load. */
interface Schedules {
  readonly durations: typeof Durations;
  readonly schedule: typeof Schedule;
}

/** The number of replacements before the key, and the id of the key before it. */
type Lineage = { readonly generation: number; readonly replacedId: string | undefined };

/** Plans a key with a lifetime. The end stays until the rotation is due. Then a new end in the inputs causes the replacement. */
export async function planRotation(inputs: Props, context: PlanContext): Promise<Plan> {
  const { previous, adopted, replaced } = context;
  const lineage: Lineage = { generation: context.generation, replacedId: context.replacedId };
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
    };
  }
  // `ignoreChanges` adds the end that check has made to the program's inputs. It counts as planned.
  const earlier = previous ?? replaced;
  if (end.expiresAt !== undefined && end.expiresAt === earlier?.["expiresAt"]) {
    const { rotatesAt } = earlier;
    const isDue = !reason && previous && Date.parse(String(rotatesAt)) <= (await context.apiTime());
    const findings = isDue ? [ignoredRotation(String(rotatesAt))] : [];
    return { inputs: { ...lineage, rotatesAt }, findings, reason };
  }
  if (end.expiresAt !== undefined) {
    const reason =
      "is given beside a lifetime, which sets it: remove expiresAt. Or remove the lifetime, and the key is not renewed";
    return { inputs: lineage, findings: [failure("expiresAt", reason)] };
  }

  const schedules = loadSchedules();
  const now = await context.apiTime();
  const keys = scheduleOf(schedules, end.lifetime, end.rotateBefore, now);
  if ("findings" in keys) return { inputs: { ...lineage, expiresAt: UNKNOWN }, findings: keys.findings };
  const current = currentEnd(schedules, adopted ?? previous);
  const { planKey, rotationOf } = schedules.schedule;
  // An adoption does not rotate: if the key is due, the next run replaces it.
  const plan =
    adopted && current
      ? { expiresAt: current.expiresAt, rotatesAt: rotationOf(keys, current), due: false }
      : planKey(keys, current, now);
  return {
    inputs: { ...lineage, expiresAt: dateText(plan.expiresAt), rotatesAt: dateText(plan.rotatesAt) },
    findings: waitFindings(inputs, plan.expiresAt - plan.rotatesAt),
    reason: plan.due && current ? rotationReason(schedules, keys, current, now) : reason,
  };
}

function isTriggered(inputs: Props, previous: Props): boolean {
  return JSON.stringify(inputs["rotationTrigger"]) !== JSON.stringify(previous["rotationTrigger"]);
}

function scheduleOf(
  { durations }: Schedules,
  lifetimeText: unknown,
  windowText: unknown,
  now: number,
): KeySchedule | { readonly findings: readonly Finding[] } {
  const lifetime = typeof lifetimeText === "string" ? durations.parseDuration(lifetimeText) : undefined;
  const rotateBefore = typeof windowText === "string" ? durations.parseDuration(windowText) : undefined;
  const findings: Finding[] = [];
  const [given, window] = [shownInput(lifetimeText), shownInput(windowText)];
  const wrong = (field: string, text: unknown): void => {
    // The schema refuses a value that is not a text.
    if (typeof text !== "string") return;
    findings.push(failure(field, `must be ${durationRule(text)} (is ${shownInput(text)})`));
  };
  if (!lifetime) wrong("lifetime", lifetimeText);
  else if (durations.after(now, lifetime) > oneYearAfter(now)) {
    findings.push(failure("lifetime", `must be at most one year (is ${given})`));
  }
  if (!rotateBefore) wrong("rotateBefore", windowText);
  if (lifetime && rotateBefore && !durations.isShorter(now, rotateBefore, lifetime)) {
    findings.push(failure("rotateBefore", `must be shorter than the lifetime of ${given} (is ${window})`));
  }
  return lifetime && findings.length === 0 ? { lifetime, rotateBefore } : { findings };
}

function currentEnd({ durations }: Schedules, previous: Props | undefined): PlannedEnd | undefined {
  const expiresAt = Date.parse(String(previous?.["expiresAt"]));
  if (Number.isNaN(expiresAt)) return undefined;
  const lifetime = previous?.["lifetime"];
  return { expiresAt, lifetime: typeof lifetime === "string" ? durations.parseDuration(lifetime) : undefined };
}

/** Why a key is due: `rotates: expires 2027-02-01, window 14d`. */
function rotationReason({ schedule }: Schedules, keys: KeySchedule, current: PlannedEnd, now: number): string {
  const end = dateText(current.expiresAt).slice(0, 10);
  if (now >= current.expiresAt) return `rotates: expired ${end}`;
  const rotatesAt = schedule.rotationOf(keys, { ...current, lifetime: undefined });
  if (now < rotatesAt) return `rotates: a shorter lifetime is over, expires ${end}`;
  return `rotates: expires ${end}, window ${Math.round((current.expiresAt - rotatesAt) / DAY_MS)}d`;
}

function ignoredRotation(rotatesAt: string): Finding {
  const due = `the rotation was due on ${rotatesAt.slice(0, 10)}`;
  const kept = "`ignoreChanges` keeps this end: no run renews the key before you remove that";
  return warning("expiresAt", `${due}, and ${kept}`);
}

function loadSchedules(): Schedules {
  return {
    durations: require("../rotation/calendar") as Schedules["durations"],
    schedule: require("../rotation/key-schedule") as Schedules["schedule"],
  };
}
