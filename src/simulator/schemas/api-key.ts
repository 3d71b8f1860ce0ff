import { z } from "zod";
import { sourceIpProblem } from "../model/addresses";
import { resourceTypes } from "../model/catalogs";
import { dateTime, identity, nameAndTags, textWithout } from "./primitives";

/** APIKeyPermission (section 2.2). The level edit includes read. */
export const permission = z.strictObject({
  resource_type: z.enum(resourceTypes),
  permission: z.enum(["read", "edit"]),
});

export type ResourceType = z.infer<typeof permission>["resource_type"];
export type PermissionLevel = z.infer<typeof permission>["permission"];

const sourceIps = z.array(textWithout(sourceIpProblem).describe("An IPv4 address or CIDR"));

/** Both lists of an IP rule; an absent one is empty. */
export const sourceIpRule = z.strictObject({ allowed: sourceIps.default([]), blocked: sourceIps.default([]) });

/** APIKey (section 2.2) as it is stored: without its secret, and without its status, which follows from the clock. */
export const storedApiKey = z.object({
  ...identity,
  ...nameAndTags,
  starts_at: dateTime.optional(),
  expires_at: dateTime,
  managed: z.boolean(),
  permissions: z.array(permission),
  project_ids: z.array(z.string()),
  source_ip_rule: sourceIpRule,
});

export type ApiKey = Readonly<z.infer<typeof storedApiKey>>;
