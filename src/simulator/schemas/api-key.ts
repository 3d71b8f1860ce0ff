import { z } from "zod";
import { resourceTypes } from "../model/catalogues";
import { permissionLevels } from "../model/permissions";
import { sourceIpProblem } from "../model/source-ip-rule";
import { dateTime, dateTimeInput, identity, named, tagsInput } from "./primitives";

/** The name of a key: 1 to 255 characters (section 8), counted as a reader counts them and not in UTF-16. */
const nameInput = z.string().regex(/^[\s\S]{1,255}$/u, "must have 1 to 255 characters");

const permission = z.strictObject({ resource_type: z.enum(resourceTypes), permission: z.enum(permissionLevels) });

/** Section 5.5, rule 1: one level for each resource type. A second row for one is refused, not merged: one of the two is a mistake. */
const permissions = z
  .array(permission)
  .min(1, "must have at least 1 item")
  .superRefine((rows, context) => {
    rows.forEach(({ resource_type }, index) => {
      if (rows.findIndex((row) => row.resource_type === resource_type) === index) return;
      const message = `${resource_type} stands twice: one level for each resource type`;
      context.addIssue({ code: "custom", path: [index, "resource_type"], message });
    });
  })
  .describe("One level for each resource type; edit includes read");

const sourceIps = z.array(
  z
    .string()
    .superRefine((text, context) => {
      const problem = sourceIpProblem(text);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    })
    .describe("An IPv4 address or CIDR"),
);

/** Both lists of an IP rule; an absent one is empty. */
export const sourceIpRule = z.strictObject({ allowed: sourceIps.default([]), blocked: sourceIps.default([]) });

/** The status of section 3.1. */
export const apiKeyStatuses = z.enum(["active", "inactive", "expired"]);

/** APIKeyCreateRequest (section 2.3). */
export const apiKeyCreateSchema = z.strictObject({
  name: nameInput,
  expires_at: dateTimeInput,
  project_ids: z
    .array(z.string())
    .min(1, "must have at least 1 item")
    .transform((ids) => [...new Set(ids)]),
  permissions,
  starts_at: dateTimeInput.optional(),
  source_ip_rule: sourceIpRule.optional(),
  tags: tagsInput.optional(),
});

/** APIKeyUpdateRequest (section 2.3): the validity window cannot be edited. */
export const apiKeyUpdateSchema = apiKeyCreateSchema.omit({ starts_at: true, expires_at: true }).partial();

/** APIKey (section 2.2) as it is stored: without its secret, and without its status, which follows from the clock. */
export const storedApiKey = z.object({
  ...identity,
  ...named,
  starts_at: dateTime.optional(),
  expires_at: dateTime,
  managed: z.boolean(),
  permissions: z.array(permission),
  project_ids: z.array(z.string()),
  source_ip_rule: sourceIpRule,
});

export type ApiKey = z.infer<typeof storedApiKey>;
