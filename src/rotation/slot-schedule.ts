import type { Temporal } from "temporal-polyfill";
import { after } from "../time/calendar";
import { DAY_MS, startOfDay } from "../time/utc";

/** The lifetime of a key, in periods. */
const LIFE_PERIODS = 3;
/** The age at which a slot's key is due, in periods. */
const DUE_PERIODS = 0.9;
/**
 * The shortest time between two rotations, in periods. A client with the current key has this much time to fetch the
 * new one.
 */
const SHORTEST_INTERVAL_PERIODS = DUE_PERIODS / 2;
/**
 * If the previous key expires earlier, it is renewed this share of a period before its end, but at least this long
 * after the last rotation.
 */
const MARGIN_PERIODS = 0.1;
/**
 * The longest time that an old key may wait, in periods. It lives for three periods, and its rotation is due after
 * about one.
 */
export const MAX_WAIT_PERIODS = 2;
/** A key lives at most a year, which limits the period. */
export const MAX_PERIOD_DAYS = 121;

/** The two slots of a rotating key. */
export type KeySlot = "a" | "b";

/** The plan of one slot's key. Times are epoch milliseconds. */
export interface SlotPlan {
  /** The number of renewals of the slot. */
  readonly renewals: number;
  /** The UTC midnight before the key was planned. */
  readonly madeAt: number;
  readonly expiresAt: number;
  /** How many times the slot was renewed because its key had leaked. */
  readonly retirements: number;
  /**
   * The earlier values of `expiresAt` that are in the future. A new key gets none of them: with equal inputs, the
   * engine would not replace the former key.
   */
  readonly formerEnds: readonly number[];
}

/** Both slots. The current key is always the younger one, because a renewed key becomes the current one. */
export interface SlotSchedule {
  readonly a: SlotPlan;
  readonly b: SlotPlan;
  readonly current: KeySlot;
}

export interface Renewal {
  readonly slot: KeySlot;
  readonly cause: "due" | "expired" | "retired";
}

interface SlotRun {
  readonly schedule: SlotSchedule;
  readonly renewals: readonly Renewal[];
}

/**
 * True if a period is between a day and `MAX_PERIOD_DAYS`, whatever the lengths of its months. It is measured from
 * July, because the longest months follow.
 */
export function isPeriod(period: Temporal.Duration): boolean {
  const start = Date.UTC(2026, 6, 1);
  const days = (after(start, period) - start) / DAY_MS;
  return days >= 1 && days <= MAX_PERIOD_DAYS;
}

export function otherSlot(slot: KeySlot): KeySlot {
  return slot === "a" ? "b" : "a";
}

/**
 * Both slots at the start. A key that moves in as slot a keeps its end and is the previous key, because the new key
 * lives longer.
 */
export function firstSlots(period: Temporal.Duration, now: number, movedIn: number | undefined): SlotRun {
  const none = { renewals: 0, retirements: 0, formerEnds: [] };
  const made: SlotPlan = { ...none, madeAt: startOfDay(now), expiresAt: newEnd(period, now, []) };
  if (movedIn === undefined) return { schedule: { a: made, b: made, current: "a" }, renewals: [] };
  const moved: SlotSchedule = { a: { ...made, expiresAt: movedIn }, b: made, current: "b" };
  return movedIn > now
    ? { schedule: moved, renewals: [] }
    : renewed(moved, period, now, [{ slot: "a", cause: "expired" }]);
}

/**
 * The schedule after a run. It renews expired keys, and the previous key if that is requested. Otherwise it renews the
 * previous key if that is due, but never the current one. Ends are UTC midnights, so that a preview and the update
 * after it agree.
 */
export function nextSlots(period: Temporal.Duration, schedule: SlotSchedule, now: number, retire: boolean): SlotRun {
  const previous = otherSlot(schedule.current);
  const isExpired = (slot: KeySlot): boolean => schedule[slot].expiresAt <= now;
  const renewals: Renewal[] = [];
  if (isExpired(previous)) renewals.push({ slot: previous, cause: "expired" });
  else if (retire) renewals.push({ slot: previous, cause: "retired" });
  if (isExpired(schedule.current)) renewals.push({ slot: schedule.current, cause: "expired" });
  if (renewals.length === 0 && now >= nextRotation(period, schedule)) renewals.push({ slot: previous, cause: "due" });
  return renewed(schedule, period, now, renewals);
}

/** When the previous slot is due. */
export function nextRotation(period: Temporal.Duration, schedule: SlotSchedule): number {
  const current = schedule[schedule.current];
  const previous = schedule[otherSlot(schedule.current)];
  const [ofCurrent, ofPrevious] = [periodOf(current, period), periodOf(previous, period)];
  const spaced = Math.min(
    current.madeAt + SHORTEST_INTERVAL_PERIODS * ofCurrent,
    previous.expiresAt - MARGIN_PERIODS * ofPrevious,
  );
  const earliest = current.madeAt + Math.max(DAY_MS, MARGIN_PERIODS * ofCurrent);
  const due = Math.max(previous.madeAt + DUE_PERIODS * ofPrevious, spaced, earliest);
  return Math.round(Math.min(due, previous.expiresAt, current.expiresAt));
}

/** When each slot is due. The current one comes after the previous one. */
export function rotationsOf(period: Temporal.Duration, schedule: SlotSchedule): Readonly<Record<KeySlot, number>> {
  const previous = otherSlot(schedule.current);
  const first = nextRotation(period, schedule);
  const then = nextRotation(period, renewed(schedule, period, first, [{ slot: previous, cause: "due" }]).schedule);
  return previous === "a" ? { a: first, b: then } : { a: then, b: first };
}

/**
 * As `rotationsOf`, if the next run is now. A slot that the run renews has the time at which it became due. The other
 * one has its next time after the run.
 */
export function rotationsFrom(
  period: Temporal.Duration,
  schedule: SlotSchedule,
  now: number,
): Readonly<Record<KeySlot, number>> {
  const run = nextSlots(period, schedule, now, false);
  const [due, later] = [rotationsOf(period, schedule), rotationsOf(period, run.schedule)];
  const timeOf = (slot: KeySlot): number => (run.renewals.some((each) => each.slot === slot) ? due : later)[slot];
  return { a: timeOf("a"), b: timeOf("b") };
}

/** The period in milliseconds. A key that was planned with a shorter period keeps that until its renewal. */
function periodOf({ madeAt, expiresAt }: SlotPlan, period: Temporal.Duration): number {
  return Math.min(after(madeAt, period) - madeAt, (expiresAt - madeAt) / LIFE_PERIODS);
}

function renewed(
  schedule: SlotSchedule,
  period: Temporal.Duration,
  now: number,
  renewals: readonly Renewal[],
): SlotRun {
  const next = { ...schedule, current: renewals[0]?.slot ?? schedule.current };
  for (const { slot, cause } of renewals) {
    const { renewals, retirements, ...former } = schedule[slot];
    const formerEnds = [...former.formerEnds, former.expiresAt].filter((end) => end > now);
    const counts = { renewals: renewals + 1, retirements: retirements + (cause === "retired" ? 1 : 0) };
    next[slot] = { ...counts, madeAt: startOfDay(now), expiresAt: newEnd(period, now, formerEnds), formerEnds };
  }
  return { schedule: next, renewals };
}

/** The first UTC midnight after three periods that is none of the former ends. */
function newEnd(period: Temporal.Duration, now: number, formerEnds: readonly number[]): number {
  let end = now;
  for (let periods = 0; periods < LIFE_PERIODS; periods += 1) end = after(end, period);
  let midnight = startOfDay(end + DAY_MS - 1);
  while (formerEnds.includes(midnight)) midnight += DAY_MS;
  return midnight;
}
