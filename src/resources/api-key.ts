import * as pulumi from "@pulumi/pulumi";
import { API_KEY_PERMISSION_LEVELS, API_KEY_RESOURCE_TYPES } from "../api/api-key-permission";
import type { ApiKey as Wire, ApiKeyCreateRequest } from "../api/api-keys";
import type { Cost } from "../cost/cost";
import { replace, sameInstant, sameSet, update, type Same } from "../dynamic/change-policy";
import { isRecord } from "../dynamic/engine-values";
import { defineKind, type Plain } from "../dynamic/kind";
import { CloudResource } from "../dynamic/resource";
import { guardCredential } from "./api-key-credential";
import type { ApiKeyPermission, ApiKeyPermissionArgs } from "./api-key-permission";
import { planRotation } from "./api-key-rotation";
import { sameStart, startToSend, validityFindings } from "./api-key-validity";
import type { InputsOf } from "./inputs";

/** Addresses that may, and may not, use a key: CIDRs. An empty `allowed` allows all. */
export interface SourceIpRuleArgs {
  readonly allowed?: pulumi.Input<pulumi.Input<string>[]>;
  readonly blocked?: pulumi.Input<pulumi.Input<string>[]>;
}

/** Arguments of an ApiKey (specification, sections 2.3 and 5). The validity window cannot be changed in place. */
export interface ApiKeyArgs {
  /** At least one project id; their order does not matter. Default: `cloudinfra:projectId`. Changed in place. */
  readonly projectIds?: pulumi.Input<pulumi.Input<string>[]>;
  /** At least one; their order does not matter. Within what the credential itself may do. Changed in place. */
  readonly permissions: pulumi.Input<pulumi.Input<ApiKeyPermissionArgs>[]>;
  /**
   * ISO 8601; in the future, and within one year of `startsAt` or the creation. Changing it replaces the key. Give it, or a
   * `lifetime`.
   */
  readonly expiresAt?: pulumi.Input<string>;
  /**
   * How long each key lives, at most one year: `"90d"`, or ISO 8601 `"P90D"`. The end is kept until the rotation is due; the
   * next run then replaces the key. A change plans anew, and replaces only where the rotation is then due.
   */
  readonly lifetime?: pulumi.Input<string>;
  /** How long before its end a key is due; shorter than the lifetime. Default: the lesser of 30 days and a third of it. */
  readonly rotateBefore?: pulumi.Input<string>;
  /** Any value: a change of it replaces the key. */
  readonly rotationTrigger?: pulumi.Input<unknown>;
  /**
   * What becomes of the old key of a replacement: `after` (default) deletes it once everything that depends on it has the new
   * one; `atExpiry` leaves it to run out. Destroy deletes either way.
   */
  readonly deleteOld?: pulumi.Input<"after" | "atExpiry">;
  /** ISO 8601; today or later, and before `expiresAt`. Default: at once. Changing it replaces the key. */
  readonly startsAt?: pulumi.Input<string>;
  /** Changed in place; left out, it is cleared. */
  readonly sourceIpRule?: pulumi.Input<SourceIpRuleArgs>;
  /** At most 50; their order does not matter. Changed in place; left out, they are cleared. */
  readonly tags?: pulumi.Input<pulumi.Input<string>[]>;
  /** 1 to 255 characters. Default: the logical name with seven hex characters behind it. Changed in place. */
  readonly name?: pulumi.Input<string>;
  /**
   * The id of an existing key to bring under management, and its secret where you have it: the API shows it at creation
   * only. Nothing is changed. Used up once: a later replacement makes a new key.
   */
  readonly adopt?: pulumi.Input<string | { readonly id: pulumi.Input<string>; readonly key?: pulumi.Input<string> }>;
}

/** An API key of the organization. Rotation is replacement: the new key is made before the old one goes. */
export class ApiKey extends CloudResource {
  declare readonly projectIds: pulumi.Output<string[]>;
  declare readonly permissions: pulumi.Output<ApiKeyPermission[]>;
  declare readonly expiresAt: pulumi.Output<string>;
  declare readonly lifetime: pulumi.Output<string | undefined>;
  declare readonly rotateBefore: pulumi.Output<string | undefined>;
  /** From when on a run replaces the key; undefined without a lifetime. Known in preview. */
  declare readonly rotatesAt: pulumi.Output<string | undefined>;
  declare readonly rotationTrigger: pulumi.Output<unknown>;
  declare readonly deleteOld: pulumi.Output<"after" | "atExpiry" | undefined>;
  /** How many times the key was replaced. */
  declare readonly generation: pulumi.Output<number>;
  /** The id of the key that this one has replaced, where it has. */
  declare readonly replacedId: pulumi.Output<string | undefined>;
  declare readonly startsAt: pulumi.Output<string | undefined>;
  declare readonly sourceIpRule: pulumi.Output<{ readonly allowed: string[]; readonly blocked: string[] }>;
  declare readonly tags: pulumi.Output<string[]>;
  declare readonly name: pulumi.Output<string>;
  /** The secret: encrypted in the state, `[secret]` on the screen. Undefined for a key that was read, or adopted without it. */
  declare readonly key: pulumi.Output<string>;
  /** `active`, `inactive` (its start has not come) or `expired`. */
  declare readonly status: pulumi.Output<"active" | "inactive" | "expired">;
  /** Whether the system manages the key. Such a key is never updated, deleted or adopted. */
  declare readonly managed: pulumi.Output<boolean>;
  /** ISO 8601, UTC. */
  declare readonly createdAt: pulumi.Output<string>;
  /** ISO 8601, UTC. */
  declare readonly updatedAt: pulumi.Output<string>;
  /** What the key costs a month; undefined where that is not known. Known in preview. */
  declare readonly cost: pulumi.Output<Cost | undefined>;

  constructor(name: string, args: ApiKeyArgs, options?: pulumi.CustomResourceOptions) {
    const { adopt, ...others } = args;
    // It may hold the key's secret, which must not stand plain in the state.
    super(apiKey, name, adopt === undefined ? others : { ...others, adopt: pulumi.secret(adopt) }, {
      ...options,
      additionalSecretOutputs: ["key", ...(options?.additionalSecretOutputs ?? [])],
    });
  }

  /** An existing key, read and never managed. Its secret is not shown by the API. */
  static get(
    name: string,
    id: pulumi.Input<pulumi.ID>,
    state?: Partial<ApiKeyArgs>,
    options?: pulumi.CustomResourceOptions,
  ): ApiKey {
    return new ApiKey(name, { ...state } as ApiKeyArgs, { ...options, id });
  }
}

/** What the program gives, and what check makes of it. */
type Inputs = InputsOf<ApiKeyArgs> & {
  readonly rotatesAt?: string;
  readonly generation?: number;
  readonly replacedId?: string;
};

/** Any expiry will do to ask for a price. */
const A_MONTH_MS = 30 * 24 * 3600 * 1000;

/** No rule is a rule with empty lists. */
const sameSourceIpRule: Same = (before, after) =>
  ["allowed", "blocked"].every((list) =>
    sameSet(isRecord(before) ? before[list] : undefined, isRecord(after) ? after[list] : undefined),
  );

/** Made with the key, and carried along. */
const keptForLife: Same = () => true;

/** What the lifecycle has to know about API keys. */
export const apiKey = defineKind<Inputs, Wire, Plain<ApiKeyCreateRequest>>({
  type: "ApiKey",
  noun: "API key",

  fields: (schema) => ({
    projectIds: schema.list(schema.text(), { min: 1 }),
    permissions: schema.list(
      schema.object({
        resourceType: schema.oneOf(...API_KEY_RESOURCE_TYPES),
        permission: schema.oneOf(...API_KEY_PERMISSION_LEVELS),
      }),
      { min: 1 },
    ),
    expiresAt: schema.instant().optional(),
    lifetime: schema.text().optional(),
    rotateBefore: schema.text().optional(),
    rotationTrigger: schema.anything(),
    deleteOld: schema.oneOf("after", "atExpiry").optional(),
    rotatesAt: schema.anything(),
    generation: schema.anything(),
    replacedId: schema.anything(),
    startsAt: schema.instant().optional(),
    sourceIpRule: schema
      .object({ allowed: schema.list(schema.text()).optional(), blocked: schema.list(schema.text()).optional() })
      .optional(),
    tags: schema.tags(),
    name: schema.textOfLength(1, 255),
  }),

  rules: validityFindings,
  plan: planRotation,
  planned: ["rotatesAt", "generation", "replacedId"],

  policies: {
    projectIds: update({ same: sameSet, priced: true }),
    permissions: update({ same: sameSet, placeholder: () => [{ resourceType: "vm", permission: "read" }] }),
    expiresAt: replace({ same: sameInstant, placeholder: (now) => new Date(now + A_MONTH_MS).toISOString() }),
    startsAt: replace({ same: sameStart }),
    rotationTrigger: replace({ isLocal: true }),
    lifetime: update({ isLocal: true }),
    rotateBefore: update({ isLocal: true }),
    deleteOld: update({ isLocal: true }),
    rotatesAt: update({ isLocal: true }),
    generation: update({ same: keptForLife, isLocal: true }),
    replacedId: update({ same: keptForLife, isLocal: true }),
    sourceIpRule: update({ same: sameSourceIpRule }),
    tags: update({ same: sameSet, placeholder: () => [] }),
    name: update({ placeholder: () => "quote" }),
  },
  // Without tags or a rule, what the API shows for none: so inputs made from what it shows are no other ones.
  defaults: ({ projectId }) => ({
    tags: [],
    sourceIpRule: { allowed: [], blocked: [] },
    ...(projectId !== undefined && { projectIds: [projectId] }),
  }),
  computed: ["status", "managed", "createdAt", "updatedAt"],
  secretOutputs: ["key"],

  toWire: ({ name, expiresAt, startsAt, projectIds, permissions, sourceIpRule, tags }, now) => ({
    name,
    expires_at: new Date(expiresAt ?? Number.NaN).toISOString(), // check lets no key without an end pass
    ...startToSend(startsAt, now),
    project_ids: projectIds ?? [],
    permissions: permissions.map(({ resourceType, permission }) => ({ resource_type: resourceType, permission })),
    source_ip_rule: { allowed: sourceIpRule?.allowed ?? [], blocked: sourceIpRule?.blocked ?? [] },
    tags: tags ?? [],
  }),

  fromWire: (wire) => ({
    projectIds: wire.project_ids,
    permissions: wire.permissions.map(({ resource_type, permission }) => ({ resourceType: resource_type, permission })),
    expiresAt: wire.expires_at,
    startsAt: wire.starts_at ?? undefined,
    lifetime: undefined,
    rotateBefore: undefined,
    rotationTrigger: undefined,
    deleteOld: undefined,
    rotatesAt: undefined,
    generation: undefined,
    replacedId: undefined,
    sourceIpRule: { allowed: wire.source_ip_rule.allowed, blocked: wire.source_ip_rule.blocked },
    tags: wire.tags,
    name: wire.name,
    key: wire.key ?? undefined,
    status: wire.status,
    managed: wire.managed,
    createdAt: wire.created_at,
    updatedAt: wire.updated_at,
  }),

  refuse: ({ managed }) =>
    managed === true ? "the key is managed by the system: it is never updated, deleted or adopted" : undefined,

  guardCredential,
  outlivesReplacement: ({ deleteOld, expiresAt }) =>
    deleteOld === "atExpiry" ? `it is left to run out on ${String(expiresAt)}` : undefined,

  handler: ({ apiKeys }) => ({
    create: (_inputs, body, call) => apiKeys.create(body, call),
    get: (id, _inputs, call) => apiKeys.get(id, call),
    read: (id, _inputs, call) => apiKeys.read(id, call),
    update: (id, _inputs, body, call) => apiKeys.update(id, body, call),
    delete: (id, _inputs, call) => apiKeys.delete(id, call),
    list: (_inputs, call) => apiKeys.list(call),
    quoteCreate: (_inputs, body, call) => apiKeys.quoteCreate(body, call),
    quoteUpdate: (id, _inputs, body, call) => apiKeys.quoteUpdate(id, body, call),
  }),
});
