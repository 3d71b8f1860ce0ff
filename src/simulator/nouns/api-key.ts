import { z } from "zod";
import { Rejection, conflict } from "../model/rejection";
import { apiKeyStatus } from "../model/callers";
import { seededIds } from "../model/catalogs";
import { formatTimestamp, oneYearAfter, startOfUtcDay } from "../model/time";
import { type ApiKey, permission, sourceIpRule, storedApiKey } from "../schemas/api-key";
import { dateTimeInput, tagsInput } from "../schemas/primitives";
import type { Call } from "../services/call";
import type { Report } from "../services/validation";
import { defineNoun } from "./noun";

/** The name of a key: 1 to 255 characters (section 8), counted as code points, not as UTF-16 units. */
const nameInput = z.string().regex(/^[\s\S]{1,255}$/u, "must have 1 to 255 characters");

/**
 * Section 5.5, rule 1: one level for each resource type. A second row for a type is rejected, not merged, because one
 * of the two must be a mistake.
 */
const permissions = z
  .array(permission)
  .min(1)
  .superRefine((rows, context) => {
    rows.forEach(({ resource_type }, index) => {
      if (rows.findIndex((row) => row.resource_type === resource_type) === index) return;
      const message = `${resource_type} is listed twice: give one level for each resource type`;
      context.addIssue({ code: "custom", path: [index, "resource_type"], message });
    });
  })
  .describe("One level for each resource type; edit includes read");

/** The status of section 3.1. */
const apiKeyStatuses = z.enum(["active", "inactive", "expired"]);

/** APIKeyCreateRequest (section 2.3). */
const apiKeyCreateSchema = z.strictObject({
  name: nameInput,
  expires_at: dateTimeInput,
  project_ids: z
    .array(z.string())
    .min(1)
    .transform((ids) => [...new Set(ids)]),
  permissions,
  starts_at: dateTimeInput.optional(),
  source_ip_rule: sourceIpRule.optional(),
  tags: tagsInput.optional(),
});

/** APIKeyUpdateRequest (section 2.3): the validity window cannot be edited. */
export const apiKeyUpdateSchema = apiKeyCreateSchema.omit({ starts_at: true, expires_at: true }).partial();

type Window = Pick<Partial<z.infer<typeof apiKeyCreateSchema>>, "starts_at" | "expires_at">;

/** The window of a key (section 5.6): it ends in the future, within a year of its start, and starts today or later. */
function windowRules(nowMs: number, { starts_at, expires_at }: Window, report: Report): void {
  const startsAtMs = starts_at === undefined ? undefined : Date.parse(starts_at);
  const expiresAtMs = expires_at === undefined ? undefined : Date.parse(expires_at);
  if (startsAtMs !== undefined) {
    if (startsAtMs < startOfUtcDay(nowMs)) report("starts_at", "must be today or later");
    if (expiresAtMs !== undefined && startsAtMs >= expiresAtMs) report("starts_at", "must be before expires_at");
  }
  if (expiresAtMs !== undefined) {
    if (expiresAtMs <= nowMs) report("expires_at", "must be in the future");
    const latestMs = oneYearAfter(startsAtMs ?? nowMs);
    if (expiresAtMs > latestMs) report("expires_at", `must be within one year, by ${formatTimestamp(latestMs)}`);
  }
}

/**
 * Checks that each project in the caller's scope exists. A project outside the scope is an escalation, which is checked
 * elsewhere.
 */
function projectRules(
  { caller, world }: Call,
  { project_ids = [] }: z.infer<typeof apiKeyUpdateSchema>,
  report: Report,
): void {
  project_ids.forEach((id, index) => {
    if (caller.reaches(id) && !world.find("projects", id)) report(`project_ids[${index}]`, "no such project");
  });
}

/** Section 5.4: the permissions and projects of a created or updated key must lie within those of the caller. */
function refuseEscalation(
  { caller }: Call,
  { permissions, project_ids }: Pick<ApiKey, "permissions" | "project_ids">,
): void {
  const beyond = permissions.filter(({ resource_type, permission }) => !caller.may(resource_type, permission));
  if (beyond.length > 0) {
    const names = beyond.map(({ resource_type, permission }) => `${resource_type}:${permission}`).join(", ");
    throw new Rejection(403, "PERMISSION_ESCALATION", `beyond the permissions of the key: ${names}`);
  }
  if (!project_ids.every((id) => caller.reaches(id))) {
    throw new Rejection(403, "PROJECT_SCOPE_ESCALATION", "beyond the project scope of the key");
  }
}

/** Rejects changes of keys that the system manages. Section 2.2 says only that such keys exist. */
function refuseManaged({ managed }: ApiKey): void {
  if (managed) throw conflict("the API key is managed by the system");
}

/** One array for all keys, because it is remembered for each. */
const keyUsage = [{ dimension: "api_key", quantity: 1 }];

/** The API keys of sections 2.2, 2.3 and 5. */
export const apiKeyNoun = defineNoun({
  key: "apiKeys",
  kind: "api_key",
  path: "/v1/api_keys",
  isOfOrganization: true,
  // A key is a resource of each of its projects (section 5.5, rule 2).
  scopeOf: ({ project_ids }) => project_ids,
  stored: storedApiKey,
  computed: { status: apiKeyStatuses },
  secrets: ["key"],
  create: apiKeyCreateSchema,
  update: apiKeyUpdateSchema,
  isDeletable: true,
  isDirect: true,
  isQuoted: "spec",
  filteredBy: ["name", "tags"],
  filters: {
    status: {
      schema: apiKeyStatuses.optional(),
      matches: (key, wanted, nowMs) => apiKeyStatus(key, nowMs) === wanted,
    },
  },
  sorts: ["updated_at", "name", "expires_at"],
  // Priced at zero, which still gives a row.
  prices: { api_key: { displayName: "API key", unitPrice: "0.00" } },
  usage: ({ managed }) => (managed ? [] : keyUsage),
  createRules(call, body, report) {
    windowRules(call.nowMs, body, report);
    projectRules(call, body, report);
  },
  updateRules(call, _key, body, report) {
    projectRules(call, body, report);
  },
  beforeCreate: refuseEscalation,
  beforeUpdate(call, key, { permissions = key.permissions, project_ids = key.project_ids }) {
    refuseManaged(key);
    refuseEscalation(call, { permissions, project_ids });
  },
  beforeDelete(_call, key) {
    refuseManaged(key);
  },
  make: (_call, { starts_at, expires_at }) => ({
    managed: false,
    expires_at: formatTimestamp(Date.parse(expires_at)),
    ...(starts_at !== undefined && { starts_at: formatTimestamp(Date.parse(starts_at)) }),
  }),
  keepSecrets({ id }, { key }, { secrets }) {
    if (key !== undefined) secrets.set(id, key);
  },
  afterDelete({ id }, { secrets }) {
    secrets.remove(id);
  },
  show: (key, { clock }) => ({ status: apiKeyStatus(key, clock.now()) }),
  // The platform's own key. Nobody has its secret.
  seed: ({ nowMs }, times) => [
    {
      ...{ id: seededIds.managedApiKey, name: "platform-managed", managed: true, tags: [], ...times },
      ...{ expires_at: formatTimestamp(oneYearAfter(nowMs)), project_ids: [seededIds.project] },
      permissions: [{ resource_type: "nks_cluster" as const, permission: "edit" as const }],
      source_ip_rule: { allowed: [], blocked: [] },
    },
  ],
});
