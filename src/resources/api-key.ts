import { define } from "../definition/definition";
import { words } from "../definition/enumeration";
import {
  anything,
  flag,
  IF_NOTHING_IS_NAMED,
  instant,
  integer,
  ipv4Source,
  list,
  object,
  objectOr,
  oneOf,
  secret,
  text,
} from "../definition/field";
import { isRecord, sameSet, type Same } from "../definition/compare-values";
import { asNetwork } from "../definition/wire";
import { resource } from "../dynamic/dynamic-resource";
import { named, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, MembersOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";
import { lockOut, reach, readableLists } from "./api-key-credential";
import { API_KEY_PERMISSION_LEVEL, API_KEY_RESOURCE_TYPE, levelFindings } from "./api-key-permission";
import { triggerFindings } from "../rotation/trigger";
import { DURATION_FORM, minutesFindings, planRotation, retirementFindings, retirementRule } from "../rotation/plan-key";
import { sameStart, startToSend, validityFindings } from "../rotation/key-dates";

const DELETE_OLD = words("ApiKeyDeleteOld", "When a replacement deletes the old key.", {
  after: "When all resources that depend on it have the new key.",
  atExpiry: "Never: the old key expires.",
});

const STATUS = words("ApiKeyStatus", "Whether a key works.", {
  active: "It works.",
  inactive: "It does not work yet, because `startsAt` has not come.",
  expired: "It no longer works.",
});

/** A missing rule equals one with empty lists, and an address its network. */
const sameSourceIpRule: Same = (before, after) =>
  ["allowed", "blocked"].every((list) => sameSet(networksIn(before, list), networksIn(after, list)));

function networksIn(rule: unknown, list: string): unknown {
  const sources = isRecord(rule) ? rule[list] : undefined;
  return Array.isArray(sources) ? sources.map(asNetwork) : sources;
}

/** The value stays with the key, so it is never a difference. */
const keptForLife: Same = () => true;

/** Specification, sections 2.3 and 5. The validity window cannot be changed in place. */
export const apiKey = define({
  type: "ApiKey",
  noun: "API key",
  path: "/v1/api_keys",
  unquotedIn: ["nirvana"],
  inputs: {
    /**
     * The ids of the projects to which the key has access. Their order does not matter. Default:
     * `cloudinfra:projectId`. Changed in place.
     */
    projectIds: list(text({ ifEmpty: IF_NOTHING_IS_NAMED }), {
      min: 1,
      configured: "projectId",
      names: "project",
      unordered: true,
    }),
    /**
     * The permissions of the key. The provider's own key must have them too. At least one. Their order does not matter.
     * Changed in place.
     */
    permissions: list(
      object({
        /** The kind of objects that the permission is for. */
        resourceType: oneOf(API_KEY_RESOURCE_TYPE),
        /** `read` or `edit`. `edit` includes `read`. */
        permission: oneOf(API_KEY_PERMISSION_LEVEL),
      }),
      { min: 1, unordered: true },
    ),
    /**
     * When the key expires, in ISO 8601: `2027-02-20T00:00:00Z`. In the future, and at most one year after `startsAt`
     * or the creation. Default: planned by the provider from `lifetime`; required without a `lifetime`. Changing it
     * replaces the key.
     */
    expiresAt: instant({ planned: true, change: "replace" }),
    /**
     * When the key begins to work, in ISO 8601: today (in UTC) or later, and before `expiresAt`. Default: at once.
     * Changing it replaces the key.
     */
    startsAt: instant({
      optional: true,
      shown: "maybe",
      change: "replace",
      same: sameStart,
      toWire: startToSend,
    }),
    /** Any JSON value that holds no empty object. Change it to rotate the key now. Changing it replaces the key. */
    rotationTrigger: anything({ optional: true, local: true, change: "replace" }),
    /**
     * How long each key is valid, at most one year: `"90d"`, with one of the units `s`, `m` (minutes), `h`, `d`, `w`
     * and `y`, or in ISO 8601 `"P90D"`. Three months are `"P3M"`; `"3m"` is three minutes. When the rotation is due,
     * the next run replaces the key. A changed lifetime replaces the key only if the rotation is then due. Default:
     * `expiresAt` is the end, and no run rotates the key.
     */
    lifetime: text({ optional: true, local: true, example: "90d", form: DURATION_FORM }),
    /**
     * How long before its end the key is rotated, in the form of `lifetime`. Must be shorter than it. A changed value
     * replaces the key only if the rotation is then due. Default: 30 days, or a third of the lifetime if that is less.
     */
    rotateBefore: text({ optional: true, local: true, example: "14d", form: DURATION_FORM }),
    /**
     * When a replacement deletes the old key. `after` deletes it when all resources that depend on it have the new key.
     * `atExpiry` lets it expire. With an object, it waits for clients that still use it. A changed value also holds for
     * old keys that already wait. A destroy deletes the key and the old keys that wait, but not the key that the
     * provider signs in with. Default: `after`.
     */
    deleteOld: objectOr(
      {
        /**
         * A run deletes the old key if the audit log shows no request of it for this time: `"24h"`. At most `atLatest`.
         * The log may not show reads.
         */
        whenQuietFor: text({ form: DURATION_FORM, example: "24h" }),
        /**
         * A run deletes the old key this long after its replacement, even if clients still use it: `"14d"`. At most one
         * year, and at most `rotateBefore`.
         */
        atLatest: text({ form: DURATION_FORM, example: "14d" }),
      },
      { enumeration: DELETE_OLD, name: "ApiKeyDeleteOldWhenQuiet" },
      { optional: true, local: true },
    ),
    /**
     * The addresses that may use the key, and those that may not. Changed in place. If it is left out, it is cleared.
     */
    sourceIpRule: object(
      {
        /** IPv4 addresses and networks that may use the key. An empty list allows all. */
        allowed: list(ipv4Source(), { default: [] }),
        /** IPv4 addresses and networks that may not use the key. */
        blocked: list(ipv4Source(), { default: [] }),
      },
      { default: { allowed: [], blocked: [] }, same: sameSourceIpRule },
    ),
    ...tagged,
    ...named({ min: 1, max: 255, example: "deployer" }),
  },
  planned: {
    /**
     * When the rotation is due: the next run after it replaces the key. Undefined without a lifetime. Known in preview.
     */
    rotatesAt: text({ optional: true, local: true }),
    /** How many times the key was replaced. Known in preview. */
    generation: integer({ local: true, same: keptForLife }),
    /** The id of the key that this one replaced. Known in preview. */
    replacedId: text({ optional: true, local: true, same: keptForLife }),
  },
  outputs: {
    /**
     * The secret: encrypted in the state, `[secret]` on the screen. Undefined for a key that was read, or adopted
     * without it.
     */
    key: secret(text()),
    /** The state of the key. `inactive` means that `startsAt` has not come yet. */
    status: oneOf(STATUS),
    /** True if the system manages the key. Such a key is never updated, deleted or adopted. */
    managed: flag(),
    ...times,
  },

  rules: (inputs, context) => [
    ...validityFindings(inputs, context),
    ...levelFindings(inputs.permissions),
    ...retirementFindings(inputs),
    ...minutesFindings(inputs),
    ...triggerFindings("rotationTrigger", inputs.rotationTrigger),
  ],
  plan: planRotation,
  refuse: ({ managed }) =>
    managed === true ? "the key is managed by the system: it is never updated, deleted or adopted" : undefined,
  credential: {
    word: "key",
    secret: "key",
    isAccepted: ({ status }) => status === "active",
    endsAt: "expiresAt",
    lockOut,
    readableLists,
    reach,
  },
  deletionOfOld: (inputs) => (inputs["deleteOld"] === "atExpiry" ? "never" : (retirementRule(inputs) ?? "atOnce")),
});

/** Names the type of the definition. */
export interface ApiKeyDefinition extends NamedType<typeof apiKey> {}

/** Arguments of an ApiKey. */
export interface ApiKeyArgs extends ArgsOf<typeof apiKey>, AdoptArgs<"key"> {}

/** Addresses that may, and may not, use a key. An empty `allowed` allows all. */
export interface SourceIpRuleArgs extends MembersOf<typeof apiKey, "sourceIpRule"> {}

/**
 * An API key of the organization. Rotation is replacement: the new key is made before the old one is deleted.
 *
 * @remarks The API cannot change the secret, `startsAt` or `expiresAt`. Another value needs a new key: see
 * docs/rotation.md.
 * @remarks The secret is in the answer to the creation only. If the state is lost, rotate the key.
 * @remarks A key that the system manages is never updated, deleted or adopted.
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const key = new cloudinfra.ApiKey("deployer", {
 *   permissions: [{ resourceType: "vpc", permission: "edit" }],
 *   lifetime: "90d",
 *   rotateBefore: "14d",
 * });
 *
 * export const deployerKey = key.key; // encrypted in the state, [secret] on the screen
 * ```
 */
export const ApiKey: ResourceClass<ApiKey, ApiKeyArgs> = resource(apiKey);

export interface ApiKey extends ResourceOf<typeof apiKey> {}
