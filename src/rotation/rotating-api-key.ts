import * as pulumi from "@pulumi/pulumi";
import { ApiKey, type ApiKeyArgs } from "../resources/api-key";
import { RotationSchedule, type PlannedSlot } from "../resources/rotation-schedule";

/** What both keys of a RotatingApiKey have in common with any other: changed in place, on both. */
type SharedArgs = Pick<ApiKeyArgs, "projectIds" | "permissions" | "sourceIpRule" | "tags">;

/** Arguments of a RotatingApiKey. */
export interface RotatingApiKeyArgs extends SharedArgs {
  /**
   * How often each of the two keys is renewed, from 1 to 121 days: `"30d"`, or ISO 8601 `"P30D"`. A key lives three periods.
   * A shorter one counts at once, so that a key may be due; a longer one counts for a key once it is renewed.
   */
  readonly period: pulumi.Input<string>;
  /**
   * Any value: a change of it deletes the previous key in this run, and a new one takes its place and becomes the current.
   * For a leak. To be rid of the current key, change it in two runs: the first makes it the previous one.
   */
  readonly retirePrevious?: pulumi.Input<unknown>;
  /**
   * An ApiKey that the program had moves in as slot a, with its secret and without a replacement. It is the previous key,
   * until its turn. Counts in the first run.
   */
  readonly slotA?: MovedInKeyArgs;
}

/** The ApiKey that moves in. */
export interface MovedInKeyArgs {
  /** Where it was, as in any resource's `aliases`: `[{ name: "deployer", parent: pulumi.rootStackResource }]`. */
  readonly aliases: pulumi.Input<pulumi.URN | pulumi.Alias>[];
  /** The end that it has; with another one the key would be replaced. */
  readonly expiresAt: pulumi.Input<string>;
}

/** One of the two keys. */
export interface RotatingKey {
  readonly id: pulumi.Output<pulumi.ID>;
  /** The secret: encrypted in the state, `[secret]` on the screen. Undefined for a key that moved in without its secret. */
  readonly key: pulumi.Output<string | undefined>;
  /** ISO 8601, UTC. Known in preview. */
  readonly expiresAt: pulumi.Output<string>;
}

/**
 * A pair of API keys that are renewed in turn, one in a run, and always the older one. Both work: give clients the current
 * key, and let those that are slow to notice go on with the previous one.
 */
export class RotatingApiKey extends pulumi.ComponentResource {
  /** The younger key. Whoever takes it may use it until it was the previous one for a while. */
  readonly current: RotatingKey;
  /** The older key: the next to be renewed. */
  readonly previous: RotatingKey;
  /** ISO 8601: from when on a run renews the previous key. Known in preview. */
  readonly nextRotation: pulumi.Output<string>;

  constructor(name: string, args: RotatingApiKeyArgs, options?: pulumi.ComponentResourceOptions) {
    super("cloudinfra:index:RotatingApiKey", name, {}, options);
    const { period, retirePrevious, slotA, ...shared } = args;
    const schedule = new RotationSchedule(
      `${name}-schedule`,
      {
        period,
        ...(retirePrevious !== undefined && { retirePrevious }),
        ...(slotA && { movedIn: slotA.expiresAt }),
      },
      { parent: this },
    );
    const a = new ApiKey(
      `${name}-a`,
      { ...shared, ...slotArgs(schedule.slotA) },
      { parent: this, ...(slotA && { aliases: slotA.aliases }) },
    );
    const b = new ApiKey(`${name}-b`, { ...shared, ...slotArgs(schedule.slotB) }, { parent: this });

    const chosen = (choose: (current: "a" | "b") => ApiKey): RotatingKey => ({
      id: schedule.current.apply((current) => choose(current).id),
      key: schedule.current.apply((current) => choose(current).key),
      expiresAt: schedule.current.apply((current) => choose(current).expiresAt),
    });
    this.current = chosen((current) => (current === "a" ? a : b));
    this.previous = chosen((current) => (current === "a" ? b : a));
    this.nextRotation = schedule.nextRotation;
    this.registerOutputs({ current: this.current, previous: this.previous, nextRotation: this.nextRotation });
  }
}

/** A key whose end is the schedule's. It carries its turn along, for those who ask what is due. */
function slotArgs({ expiresAt, rotatesAt }: pulumi.Output<PlannedSlot>): Pick<ApiKeyArgs, "expiresAt" | "deleteOld"> & {
  readonly rotatesAt: pulumi.Output<string>;
} {
  return { expiresAt, rotatesAt, deleteOld: "after" };
}
