import { parseDuration } from "../../src/time/calendar";
import {
  firstSlots,
  nextSlots,
  otherSlot,
  type Renewal,
  type KeySlot,
  type SlotSchedule,
} from "../../src/rotation/slot-schedule";

export const DAY_MS = 86_400_000;
export const at = (text: string): number => Date.parse(text);
export const periodOf = (text: string): NonNullable<ReturnType<typeof parseDuration>> => {
  const period = parseDuration(text);
  if (!period) throw new Error(`${text} is no duration`);
  return period;
};

/** A run and its results, which are valid until the next run. */
export interface Run {
  readonly now: number;
  readonly schedule: SlotSchedule;
  readonly renewals: readonly Renewal[];
}

/** Runs at these distances in days. The first one makes both keys. */
export function runsAfter(period: string, start: string | number, gapsInDays: readonly number[]): Run[] {
  const every = periodOf(period);
  let now = typeof start === "number" ? start : at(start);
  const runs: Run[] = [{ now, ...firstSlots(every, now, undefined) }];
  for (const gap of gapsInDays) {
    now += Math.round(gap * DAY_MS);
    runs.push({ now, ...nextSlots(every, runs.at(-1)!.schedule, now, false) });
  }
  return runs;
}

/** The outputs that were expired at some moment before the following run. */
export function lapses(runs: readonly Run[]): { readonly run: number; readonly output: "current" | "previous" }[] {
  return runs.slice(0, -1).flatMap(({ schedule }, index) => {
    const until = runs[index + 1]!.now;
    const ends = { current: schedule[schedule.current], previous: schedule[otherSlot(schedule.current)] };
    return (["current", "previous"] as const)
      .filter((output) => ends[output].expiresAt < until)
      .map((output) => ({ run: index, output }));
  });
}

/** The slots that each run renewed: `b`, `a`, `` for none. */
export function turns(runs: readonly Run[]): (KeySlot | "" | "ab")[] {
  return runs.map(
    ({ renewals }) =>
      renewals
        .map(({ slot }) => slot)
        .sort()
        .join("") as KeySlot | "" | "ab",
  );
}
