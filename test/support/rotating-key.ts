import { up, type Outcome } from "./mini-engine";
import type { StateEntry } from "./mini-state";
import type { TestRun } from "./lifecycle";
import type { World } from "./world";

/** The parts of a RotatingApiKey in the engine's state. */
export interface RotatingState {
  readonly schedule: StateEntry;
  readonly a: StateEntry | undefined;
  readonly b: StateEntry | undefined;
}

/** The result of a run for each part. */
export interface RotatingOutcome {
  readonly state: RotatingState;
  readonly operations: Record<"schedule" | "a" | "b", Outcome["operation"]>;
  /** The lines on the schedule's row. */
  readonly lines: readonly string[];
}

/** The program's arguments for both slots, and for the schedule. */
export interface RotatingArgs {
  readonly period: string;
  readonly retirePrevious?: unknown;
  readonly movedIn?: string;
  readonly atLatest?: string;
  readonly permissions?: readonly { readonly resourceType: string; readonly permission: string }[];
}

interface SlotPlan {
  readonly expiresAt: string;
  readonly rotatesAt: string;
}

export interface UpOptions {
  /** The plugin process. */
  readonly run?: TestRun;
  /** Ends the run after the update of the schedule, before that of the keys. */
  readonly cutOff?: boolean;
  /** Called while the old and the new key of a replaced slot both exist. */
  readonly between?: () => Promise<void>;
}

/**
 * Imitates what the engine does for a program with one RotatingApiKey called `ci`. test/engine compares this with the
 * class.
 */
export async function upRotating(
  world: World,
  { permissions = [{ resourceType: "vm", permission: "edit" }], ...plan }: RotatingArgs,
  current: Partial<RotatingState> = {},
  { run = world.run({ costQuotes: "false" }), cutOff = false, between }: UpOptions = {},
): Promise<RotatingOutcome> {
  const schedule = await up(run, "RotationSchedule", plan, current.schedule, { name: "ci-schedule" });
  const planned = schedule.state.outs as Record<"slotA" | "slotB", SlotPlan>;
  const slot = (name: "a" | "b", { expiresAt, rotatesAt }: SlotPlan, state: StateEntry | undefined): Promise<Outcome> =>
    up(run, "ApiKey", { permissions, expiresAt, rotatesAt, deleteOld: "after" }, state, {
      name: `ci-${name}`,
      ...(between && { between }),
    });
  if (cutOff) {
    const operations = { schedule: schedule.operation, a: "same", b: "same" } as const;
    return {
      state: { a: undefined, b: undefined, ...current, schedule: schedule.state },
      operations,
      lines: schedule.lines,
    };
  }
  const a = await slot("a", planned.slotA, current.a);
  const b = await slot("b", planned.slotB, current.b);
  return {
    state: { schedule: schedule.state, a: a.state, b: b.state },
    operations: { schedule: schedule.operation, a: a.operation, b: b.operation },
    lines: schedule.lines,
  };
}

/** The component's outputs. */
export function outputsOf({ schedule, a, b }: RotatingState): Record<"current" | "previous", StateEntry> {
  if (!a || !b) throw new Error("a slot has no key yet");
  return schedule.outs["current"] === "a" ? { current: a, previous: b } : { current: b, previous: a };
}

/** The API's answer to a client that signs in with the key. */
export const signIn = (world: World, { outs }: StateEntry): Promise<number> => world.signIn(outs["key"]);

/** The keys that the stack could have made and that have not ended. */
export async function keysAlive(world: World): Promise<string[]> {
  const apiKeys = await world.objects("ApiKey");
  return apiKeys
    .filter(({ managed, status }) => managed !== true && status !== "expired")
    .map(({ id }) => id)
    .sort();
}
