import * as pulumi from "../engine/pulumi-sdk";
import { anything, text } from "../definition/field";
import type { LocalKind } from "../lifecycle/local/local-kind";
import { registerDynamic } from "../dynamic/dynamic-resource";
import type { Register } from "../program/resource";
import type * as PlanSlots from "../rotation/plan-slots";

/** Arguments of a RotationSchedule. */
interface RotationScheduleArgs {
  /** How often each slot is renewed. */
  readonly period: pulumi.Input<string>;
  /** A changed value renews the previous slot. */
  readonly retirePrevious?: pulumi.Input<unknown>;
  /** The end of a key that moves in as slot a. Used in the first run only. */
  readonly movedIn?: pulumi.Input<string>;
  /** How long an old key may wait for its clients. It is validated, and not kept. */
  readonly atLatest?: pulumi.Input<string | undefined>;
}

/** The plan of one slot's key. */
export interface PlannedSlot {
  /** How many times the slot was renewed. */
  readonly renewals: number;
  /** ISO 8601: the UTC midnight before the key was planned. */
  readonly madeAt: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** ISO 8601: when the slot is due. */
  readonly rotatesAt: string;
  /** How many times the slot was renewed because its key had leaked. */
  readonly retirements?: number;
  /** The earlier values of `expiresAt` that are in the future. No two keys have the same. */
  readonly formerEnds?: readonly string[];
}

/**
 * The plan of a RotatingApiKey: when each key expires, and which one is current. It is in the state only. Each key is
 * planned without the other, so this plan decides which one a run renews.
 */
export class RotationSchedule extends pulumi.CustomResource {
  /** The plan of the key `<name>-a`. */
  declare readonly slotA: pulumi.Output<PlannedSlot>;
  /** The plan of the key `<name>-b`. */
  declare readonly slotB: pulumi.Output<PlannedSlot>;
  /** The slot whose key clients get as `current`. */
  declare readonly current: pulumi.Output<"a" | "b">;
  /** ISO 8601: when the previous slot is due. */
  declare readonly nextRotation: pulumi.Output<string>;

  /** Registers a resource with this front. */
  protected static readonly register: Register = registerDynamic;

  constructor(name: string, args: RotationScheduleArgs, options?: pulumi.CustomResourceOptions) {
    super(...new.target.register(rotationSchedule, name, args, options).sent);
  }
}

/** The kind of rotation schedules, for the lifecycle. */
export const rotationSchedule: LocalKind = {
  type: "RotationSchedule",
  args: {
    period: text(),
    retirePrevious: anything({ optional: true }),
    movedIn: text({ optional: true }),
    atLatest: text({ optional: true }),
  },
  fields: ["period", "retirePrevious", "movedIn", "slotA", "slotB", "current", "nextRotation"],
  plan: (inputs, context) => {
    // Loaded by the plugin only, so that a program loads no dates library. (Not with `import()`, which jest does not
    // support.)
    const { planSlots } = require("../rotation/plan-slots") as typeof PlanSlots;
    return planSlots(inputs, context);
  },
};
