import type { Temporal } from "temporal-polyfill";
import { after } from "./calendar";
import { DAY_MS, startOfDay } from "./utc";

/** A key lives this many periods. */
const LIFE = 3;
/** From this part of a period on, a slot's key is due. */
const DUE = 0.9;
/** This part of a period lies between two rotations: who holds the key that was current has so long to take the new one. */
const APART = DUE / 2;
/** Where the previous key ends before that, it is renewed this part of a period before its end, and no closer to the last rotation. */
const MARGIN = 0.1;
/** No key may live longer than a year, so no period may be longer. */
export const LONGEST_PERIOD_DAYS = 121;

/** The two slots of a rotating key. */
export type Slot = "a" | "b";

/** One slot's key as it is planned. Times are epoch milliseconds. */
export interface SlotPlan {
  /** How many times the slot was renewed. */
  readonly turn: number;
  /** The UTC midnight before the key was planned. */
  readonly madeAt: number;
  readonly expiresAt: number;
}

/** Both slots. The current one is always the younger: what is renewed becomes current. */
export interface SlotSchedule {
  readonly a: SlotPlan;
  readonly b: SlotPlan;
  readonly current: Slot;
}

/** Why a slot is renewed. */
export interface Renewal {
  readonly slot: Slot;
  readonly cause: "due" | "expired" | "retired";
}

/** What a run makes of a schedule. */
export interface SlotRun {
  readonly schedule: SlotSchedule;
  readonly renewals: readonly Renewal[];
}

/** Whether a period is between a day and the longest, whatever the months it falls on: from July on they are longest. */
export function isPeriod(period: Temporal.Duration): boolean {
  const start = Date.UTC(2026, 6, 1);
  const days = (after(start, period) - start) / DAY_MS;
  return days >= 1 && days <= LONGEST_PERIOD_DAYS;
}

/** The slot that is not this one. */
export function otherSlot(slot: Slot): Slot {
  return slot === "a" ? "b" : "a";
}

/** Both slots at once. A key that has moved in as slot a keeps its end, and is the previous one: the new key lives longer. */
export function firstSlots(period: Temporal.Duration, now: number, movedIn: number | undefined): SlotRun {
  const made: SlotPlan = { turn: 0, madeAt: startOfDay(now), expiresAt: newEnd(period, now) };
  if (movedIn === undefined) return { schedule: { a: made, b: made, current: "a" }, renewals: [] };
  const moved: SlotSchedule = { a: { ...made, expiresAt: movedIn }, b: made, current: "b" };
  return movedIn > now ? { schedule: moved, renewals: [] } : renewed(moved, period, now, ["a"], "expired");
}

/**
 * One run: a key that has expired is renewed; else, where it is due or asked for, the previous one, and never the current.
 * Ends lie on UTC midnights, so that a preview and the update that follows it agree.
 */
export function nextSlots(period: Temporal.Duration, schedule: SlotSchedule, now: number, retire: boolean): SlotRun {
  const previous = otherSlot(schedule.current);
  const expired = [previous, schedule.current].filter((slot) => schedule[slot].expiresAt <= now);
  if (expired.length > 0) return renewed(schedule, period, now, expired, "expired");
  if (retire) return renewed(schedule, period, now, [previous], "retired");
  if (now >= nextRotation(period, schedule)) return renewed(schedule, period, now, [previous], "due");
  return { schedule, renewals: [] };
}

/** From when on a run renews the previous slot. */
export function nextRotation(period: Temporal.Duration, schedule: SlotSchedule): number {
  const current = schedule[schedule.current];
  const previous = schedule[otherSlot(schedule.current)];
  const [ofCurrent, ofPrevious] = [periodOf(current, period), periodOf(previous, period)];
  const apart = Math.min(current.madeAt + APART * ofCurrent, previous.expiresAt - MARGIN * ofPrevious);
  const earliest = current.madeAt + Math.max(DAY_MS, MARGIN * ofCurrent);
  const due = Math.max(previous.madeAt + DUE * ofPrevious, apart, earliest);
  return Math.round(Math.min(due, previous.expiresAt, current.expiresAt));
}

/** From when on a run renews each slot: the current one's turn comes after the previous one's. */
export function rotationsOf(period: Temporal.Duration, schedule: SlotSchedule): Readonly<Record<Slot, number>> {
  const previous = otherSlot(schedule.current);
  const first = nextRotation(period, schedule);
  const then = nextRotation(period, renewed(schedule, period, first, [previous], "due").schedule);
  return previous === "a" ? { a: first, b: then } : { a: then, b: first };
}

/** The period in milliseconds; a key that was planned with a shorter one keeps to that until its turn. */
function periodOf({ madeAt, expiresAt }: SlotPlan, period: Temporal.Duration): number {
  return Math.min(after(madeAt, period) - madeAt, (expiresAt - madeAt) / LIFE);
}

function renewed(
  schedule: SlotSchedule,
  period: Temporal.Duration,
  now: number,
  slots: readonly Slot[],
  cause: Renewal["cause"],
): SlotRun {
  const next = { ...schedule, current: slots[0] ?? schedule.current };
  for (const slot of slots) {
    const { turn, expiresAt } = schedule[slot];
    next[slot] = { turn: turn + 1, madeAt: startOfDay(now), expiresAt: newEnd(period, now, expiresAt) };
  }
  return { schedule: next, renewals: slots.map((slot) => ({ slot, cause })) };
}

/** The first UTC midnight that gives three periods; a day later for a slot that ends then already: its end has to move. */
function newEnd(period: Temporal.Duration, now: number, ended?: number): number {
  let end = now;
  for (let periods = 0; periods < LIFE; periods += 1) end = after(end, period);
  const midnight = startOfDay(end + DAY_MS - 1);
  return midnight === ended ? midnight + DAY_MS : midnight;
}
