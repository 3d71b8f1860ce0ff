import * as pulumi from "../engine/pulumi-sdk";
import { sameInstant } from "../definition/compare-values";
import { anything, object, text } from "../definition/field";
import { findingText } from "../definition/rule-context";
import type { Field } from "../definition/types";
import { unknownArguments } from "../definition/findings";
import { ROTATING_API_KEY_TOKEN, urnParts } from "../engine/urn";
import { refuseWrongCall } from "../program/resource";
import { ApiKey, type ApiKeyArgs } from "./api-key";
import { RotationSchedule, type PlannedSlot } from "./rotation-schedule";

/** Arguments of a RotatingApiKey. Those of an ApiKey apply to both keys, and a change is made in place for both. */
export interface RotatingApiKeyArgs extends Pick<
  ApiKeyArgs,
  "projectIds" | "permissions" | "sourceIpRule" | "tags" | "deleteOld"
> {
  /**
   * How often each of the two keys is renewed, from 1 to 121 days: `"30d"`, or ISO 8601 `"P30D"`. Each key is valid for
   * three periods. A shorter period applies at once, a longer one to each key after its next renewal.
   */
  readonly period: pulumi.Input<string>;
  /**
   * Any JSON value that holds no empty object. Change it if the previous key has leaked: the run deletes that key,
   * whatever `deleteOld` is, and its successor becomes the current key. To retire the current key, change the value in
   * two runs.
   */
  readonly retirePrevious?: pulumi.Input<unknown>;
  /**
   * An existing ApiKey of the program that becomes one of the two keys, without a replacement. Used in the first run
   * only.
   */
  readonly slotA?: MovedInKeyArgs;
}

/** The ApiKey that moves in. */
export interface MovedInKeyArgs {
  /**
   * Its former name and parent in the program, as in the option `aliases` of a resource: `[{ name: "deployer", parent:
   * pulumi.rootStackResource }]`.
   */
  readonly aliases: pulumi.Input<pulumi.URN | pulumi.Alias>[];
  /** The present `expiresAt` of the key. With another value, the key would be replaced. */
  readonly expiresAt: pulumi.Input<string>;
}

/** The names of the arguments. The children check the values. */
const rotatingArgs = {
  ...{ projectIds: anything(), permissions: anything(), sourceIpRule: anything(), tags: anything() },
  deleteOld: anything(),
  ...{ period: text(), retirePrevious: anything(), slotA: object({ aliases: anything(), expiresAt: anything() }) },
} satisfies { readonly [Name in keyof Required<RotatingApiKeyArgs>]: Field };

/** One of the two keys. */
export interface RotatingKey {
  /** The key's id. */
  readonly id: pulumi.Output<pulumi.ID>;
  /**
   * The secret: encrypted in the state, `[secret]` on the screen. Undefined for a key that moved in without its secret.
   *
   * @secret
   */
  readonly key: pulumi.Output<string | undefined>;
  /** When the key expires: ISO 8601, UTC. Known in preview. */
  readonly expiresAt: pulumi.Output<string>;
}

/**
 * A pair of API keys. Runs renew them in turn, always the older one. Give clients the current key. Slow clients can
 * still use the previous one.
 *
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const ci = new cloudinfra.RotatingApiKey("ci", {
 *   permissions: [{ resourceType: "vpc", permission: "edit" }],
 *   period: "30d",
 * });
 *
 * export const key = ci.current.key;
 * ```
 * @behaviour It is a component: two keys `<name>-a` and `<name>-b`, and `<name>-schedule`, which is in the state only.
 * @behaviour The first run makes both keys. A later run renews the previous key if it is due, and makes it the current
 * key.
 * @behaviour A shorter `period` applies at once, so a key may become due. A longer one applies to a key after its next
 * renewal.
 * @behaviour docs/rotation.md says how long each key is valid if runs are late or missed.
 * @remarks Nothing rotates between runs. Start a run every night.
 * @remarks One run renews one key, unless both have expired. Runs more than two periods apart let keys expire.
 * @remarks The pair has no `get` and no `adopt`. To move an ApiKey in, use `slotA`.
 * @remarks YAML, Python and Go use it with the first-class provider. There `slotA.aliases` takes URNs as text: see
 * docs/native.md.
 */
export class RotatingApiKey extends pulumi.ComponentResource {
  /** The younger key. Give it to clients. */
  readonly current: RotatingKey;
  /** The older key, which is renewed next. */
  readonly previous: RotatingKey;
  /** When the next rotation is due: ISO 8601. Known in preview. */
  readonly nextRotation: pulumi.Output<string>;

  /** The front's classes of its children. */
  protected static readonly parts = { ApiKey, RotationSchedule };

  constructor(name: string, args: RotatingApiKeyArgs, options?: pulumi.ComponentResourceOptions) {
    refuseWrongCall("RotatingApiKey", name, args);
    super(ROTATING_API_KEY_TOKEN, name, {}, options);
    const [unknown] = unknownArguments("RotatingApiKey", rotatingArgs, { ...args });
    if (unknown) throw new pulumi.RunError(`RotatingApiKey "${name}": ${findingText(unknown)}`);
    const { period, retirePrevious, slotA, ...given } = args;
    const shared = { ...given, deleteOld: args.deleteOld ?? "after" };
    if (slotA && !(Array.isArray(slotA.aliases) && slotA.aliases.length > 0))
      throw new pulumi.RunError(
        `RotatingApiKey "${name}": slotA.aliases must be a list with the former name and parent of the key that moves in, such as ` +
          `[{ name: "deployer", parent: pulumi.rootStackResource }]. Without one, the run makes a new key and deletes the old one.`,
      );
    const { parts } = new.target;
    const schedule = new parts.RotationSchedule(
      `${name}-schedule`,
      {
        period,
        ...(retirePrevious !== undefined && { retirePrevious }),
        ...(slotA && { movedIn: slotA.expiresAt }),
        ...(args.deleteOld !== undefined && { atLatest: pulumi.output(args.deleteOld).apply(atLatestOf) }),
      },
      { parent: this, ...childOptions(name, options, "-schedule") },
    );
    const ofSlotA = childOptions(name, options, "-a");
    const a = new parts.ApiKey(
      `${name}-a`,
      { ...shared, ...slotArgs(schedule.slotA) },
      { parent: this, ...ofSlotA, aliases: [...ofSlotA.aliases, ...(slotA?.aliases ?? [])] },
    );
    const b = new parts.ApiKey(
      `${name}-b`,
      { ...shared, ...slotArgs(schedule.slotB) },
      { parent: this, ...childOptions(name, options, "-b") },
    );

    // A run with --target or --exclude may change the schedule without renewing the key. That key is then still the
    // older one.
    const slots: readonly [pulumi.Output<MaybeSlot>, pulumi.Output<MaybeSlot>] = [schedule.slotA, schedule.slotB];
    const younger = pulumi.all([schedule.current, ...slots]).apply(([planned, slotA, slotB]) => {
      const [key, slot, other] = planned === "a" ? ([a, slotA, "b"] as const) : ([b, slotB, "a"] as const);
      return key.expiresAt.apply((end) => (sameInstant(end, slot?.expiresAt) ? planned : other));
    });
    const chosen = (choose: (current: "a" | "b") => ApiKey): RotatingKey => ({
      id: younger.apply((current) => choose(current).id),
      key: younger.apply((current) => choose(current).key),
      expiresAt: younger.apply((current) => choose(current).expiresAt),
    });
    this.current = chosen((current) => (current === "a" ? a : b));
    this.previous = chosen((current) => (current === "a" ? b : a));
    this.nextRotation = schedule.nextRotation;
    this.registerOutputs({ current: this.current, previous: this.previous, nextRotation: this.nextRotation });
  }
}

/**
 * The options of a child: the inherited `retainOnDelete`, which the engine does not pass to the provider, and its
 * former names. The engine derives these only while the state has the component under its former name. After a failed
 * run, it would otherwise replace the keys.
 */
function childOptions(
  name: string,
  { aliases = [], parent, retainOnDelete }: pulumi.ComponentResourceOptions = {},
  ending: string,
): { readonly aliases: pulumi.Input<pulumi.Alias>[]; readonly retainOnDelete?: boolean } {
  const formerUrn = (alias: pulumi.URN | pulumi.Alias): pulumi.Output<pulumi.URN> =>
    typeof alias === "string"
      ? pulumi.output(alias)
      : pulumi.createUrn(
          alias.name ?? name,
          alias.type ?? ROTATING_API_KEY_TOKEN,
          "parent" in alias ? alias.parent : parent,
          alias.project as string | undefined,
          alias.stack as string | undefined,
        );
  const former = aliases.map((alias) =>
    pulumi
      .output(alias)
      .apply((known) => formerUrn(known as pulumi.URN | pulumi.Alias))
      .apply((urn) => ({ name: urnParts(urn).name + ending, parent: urn })),
  );
  return { aliases: former, ...(retainOnDelete !== undefined && { retainOnDelete }) };
}

function atLatestOf(deleteOld: pulumi.Unwrap<ApiKeyArgs["deleteOld"]>): string | undefined {
  return typeof deleteOld === "object" ? deleteOld.atLatest : undefined;
}

/** Undefined if `--target` leaves out a new schedule. */
type MaybeSlot = PlannedSlot | undefined;

/**
 * The arguments of a key, from the schedule. `rotatesAt` is for `cloudinfra rotate --check`. A key that was made with
 * fewer `__retirements` has leaked when it is replaced.
 */
function slotArgs(slot: pulumi.Output<PlannedSlot>): Pick<ApiKeyArgs, "expiresAt"> & pulumi.Inputs {
  const { expiresAt, rotatesAt } = slot;
  return { expiresAt, rotatesAt, __retirements: slot.apply((planned: MaybeSlot) => planned?.retirements) };
}
