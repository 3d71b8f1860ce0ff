import { instantSchema } from "../definition/input-schemas";
import { failure } from "../definition/rule-context";
import { shownInput } from "../text/redaction";
import { isRecord } from "../definition/compare-values";
import { UNKNOWN, containsUnknown } from "../engine/values";
import type { Props } from "../lifecycle/kind/kind";
import type { LocalPlan, LocalPlanContext } from "../lifecycle/local/local-kind";
import { after, parseDuration } from "../time/calendar";
import {
  firstSlots,
  isPeriod,
  MAX_PERIOD_DAYS,
  MAX_WAIT_PERIODS,
  nextRotation,
  nextSlots,
  rotationsFrom,
  rotationsOf,
  type Renewal,
  type KeySlot,
  type SlotPlan,
  type SlotSchedule,
} from "./slot-schedule";
import { triggerFindings } from "./trigger";
import { dateText } from "../time/utc";

/** The inputs while the period is not known yet. */
const unknownPlan: Props = { slotA: UNKNOWN, slotB: UNKNOWN, current: UNKNOWN, nextRotation: UNKNOWN };

/** Plans both slots of a rotating key, from the inputs of the last run and the API's time. */
export async function planSlots(inputs: Props, context: LocalPlanContext): Promise<LocalPlan> {
  const { previous } = context;
  const { period: text, movedIn } = inputs;
  const before = previous && scheduleOf(previous);
  if (containsUnknown([text, before ? undefined : movedIn])) {
    const last: Props = Object.fromEntries(Object.keys(unknownPlan).map((field) => [field, previous?.[field]]));
    return { inputs: before ? last : unknownPlan, findings: [] };
  }
  const period = typeof text === "string" ? parseDuration(text) : undefined;
  if (!period || !isPeriod(period)) {
    return failed(
      "period",
      `must be a duration of 1 to ${MAX_PERIOD_DAYS} days such as "30d" or "P30D" (is ${shownInput(text)})`,
    );
  }
  const longest = MAX_WAIT_PERIODS * after(0, period);
  const wait = typeof inputs["atLatest"] === "string" ? parseDuration(inputs["atLatest"]) : undefined;
  if (wait && after(0, wait) > longest)
    return failed(
      "deleteOld.atLatest",
      `must be at most two periods of ${shownInput(text)}, because the old key expires soon after that (is ${shownInput(inputs["atLatest"])}). ` +
        "Give a shorter atLatest, or a longer period",
    );
  const findings = triggerFindings("retirePrevious", inputs["retirePrevious"]);
  if (findings.length > 0) return { inputs: {}, findings };
  const movedInEnd = instantSchema.optional().safeParse(before ? undefined : movedIn);
  if (movedInEnd.error)
    return failed("slotA.expiresAt", movedInEnd.error.issues.map(({ message }) => message).join("; "));
  const end = movedInEnd.data === undefined ? undefined : Date.parse(movedInEnd.data);

  const now = await context.apiTime();
  const { schedule, renewals } = before
    ? nextSlots(period, before, now, isRetired(inputs, previous))
    : firstSlots(period, now, end);
  const due = before ? nextRotation(period, before) : now;
  const reasons = renewals.map((renewal) =>
    renewalReason(renewal, due, before?.[renewal.slot].expiresAt ?? end ?? now),
  );
  const rotations = rotationsOf(period, schedule);
  return {
    inputs: {
      slotA: slotToProps(schedule.a, rotations.a),
      slotB: slotToProps(schedule.b, rotations.b),
      current: schedule.current,
      nextRotation: dateText(nextRotation(period, schedule)),
      atLatest: undefined,
    },
    findings: [],
    line: reasons.length === 0 ? undefined : reasons.join("; "),
  };
}

/**
 * The time of each slot's renewal, if the next run is now, from the plan in the state. Undefined if the state has no
 * plan.
 */
export function plannedRotations(saved: Props, now: number): Readonly<Record<KeySlot, number>> | undefined {
  const { period: text } = saved;
  const [schedule, period] = [scheduleOf(saved), typeof text === "string" ? parseDuration(text) : undefined];
  return schedule && period && rotationsFrom(period, schedule, now);
}

/** The reason for a slot's renewal: `rotates slot a: due since 2027-02-01`. */
function renewalReason({ slot, cause }: Renewal, due: number, end: number): string {
  const reasons = {
    due: `due since ${dayText(due)}`,
    expired: `expired ${dayText(end)}`,
    retired: "retirePrevious changed",
  };
  return `rotates slot ${slot}: ${reasons[cause]}`;
}

function isRetired(inputs: Props, previous: Props | undefined): boolean {
  const given = inputs["retirePrevious"];
  if (given === undefined || containsUnknown(given)) return false;
  return JSON.stringify(given) !== JSON.stringify(previous?.["retirePrevious"]);
}

/** The schedule in the inputs of the last run, if there is one. */
function scheduleOf({ slotA, slotB, current }: Props): SlotSchedule | undefined {
  const [a, b] = [slotOf(slotA), slotOf(slotB)];
  return a && b && (current === "a" || current === "b") ? { a, b, current } : undefined;
}

function slotOf(value: unknown): SlotPlan | undefined {
  if (!isRecord(value)) return undefined;
  const { renewals, madeAt, expiresAt, retirements, formerEnds: ends } = value;
  const slot = {
    renewals: Number(renewals),
    madeAt: Date.parse(String(madeAt)),
    expiresAt: Date.parse(String(expiresAt)),
  };
  if (Object.values(slot).some(Number.isNaN)) return undefined;
  const formerEnds = Array.isArray(ends) ? ends.map((end) => Date.parse(String(end))) : [];
  return { ...slot, retirements: Number(retirements) || 0, formerEnds };
}

function slotToProps({ renewals, retirements, formerEnds, ...plan }: SlotPlan, rotatesAt: number): Props {
  const times = { madeAt: dateText(plan.madeAt), expiresAt: dateText(plan.expiresAt), rotatesAt: dateText(rotatesAt) };
  return {
    renewals,
    ...times,
    ...(retirements > 0 && { retirements }),
    ...(formerEnds.length > 0 && { formerEnds: formerEnds.map(dateText) }),
  };
}

function failed(field: string, reason: string): LocalPlan {
  return { inputs: {}, findings: [failure(field, reason)] };
}

function dayText(time: number): string {
  return dateText(time).slice(0, 10);
}
