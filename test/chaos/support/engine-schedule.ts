import fc from "fast-check";
import { edits, slots, type Programs } from "./schedule";
import { changesInWords, slotsInWords } from "./words";

/** Which process dies, and when. */
export interface Kill {
  readonly victim: "the plugin" | "the CLI";
  readonly when: "before it arrives" | "after its effect";
  /** Counted in the run, quotes and all. */
  readonly nth: number;
}

/** A small program, brought up once or twice; the last run is killed. */
export interface EngineSchedule extends Programs {
  readonly kill: Kill;
  /** Whether the person clears what was pending before they run again. */
  readonly clearsFirst: boolean;
}

/** Components have URNs of their own: a RotatingApiKey is the other campaign's. */
const plainSlots = slots.map((slot) => ({ ...slot, inTurn: false }));

/** Any schedule for the real engine. */
export const engineSchedules: fc.Arbitrary<EngineSchedule> = fc.noBias(
  fc.record({
    slots: fc.array(plainSlots, { minLength: 1, maxLength: 3 }),
    versions: fc.array(fc.record({ edits: fc.array(edits, { minLength: 1, maxLength: 3 }) }), {
      minLength: 1,
      maxLength: 2,
    }),
    kill: fc.record({
      victim: fc.constantFrom("the plugin" as const, "the CLI" as const),
      when: fc.constantFrom("before it arrives" as const, "after its effect" as const),
      nth: fc.integer({ min: 1, max: 7 }),
    }),
    clearsFirst: fc.boolean(),
  }),
);

/** The schedule as a person would tell it. */
export function engineScheduleInWords({ slots: all, versions, kill, clearsFirst }: EngineSchedule): string {
  const last = versions.length - 1;
  return [
    slotsInWords(all),
    ...versions.map(({ edits: changed }, nth) => {
      const killed = nth === last ? `, ${kill.victim} is killed at request ${kill.nth}, ${kill.when}` : "";
      return `Run ${nth + 1}${changesInWords(changed, all.length)}${killed}`;
    }),
    `Then what a person does: pulumi cancel, ${clearsFirst ? "refresh --clear-pending-creates, up" : "up, refresh --clear-pending-creates"}.`,
  ].join("\n");
}
