import { z } from "zod";
import { keepUnshown } from "../../shown-text";
import type { Caller } from "../http/caller";
import { CollectionAt, type Collection, type Listed, type ReadFromLists } from "../collection";
import { Quotes } from "../quotes";
import { API_KEY_PERMISSION_LEVELS, API_KEY_RESOURCE_TYPES } from "./api-key-permission";
import { dateTime, openEnum } from "../schema";

/** Specification section 2.2. */
export const apiKeyPermission = z.looseObject({
  resource_type: openEnum(...API_KEY_RESOURCE_TYPES),
  permission: openEnum(...API_KEY_PERMISSION_LEVELS),
});
export type ApiKeyPermission = z.infer<typeof apiKeyPermission>;

/** Specification section 2.2, APIKey. `key` comes with the creation response only: keep it, it is shown once. */
export const apiKey = z.looseObject({
  id: z.string(),
  name: z.string(),
  created_at: dateTime,
  updated_at: dateTime,
  starts_at: dateTime.nullish(),
  expires_at: dateTime,
  status: openEnum("active", "inactive", "expired"),
  managed: z.boolean(),
  permissions: z.array(apiKeyPermission),
  project_ids: z.array(z.string()),
  source_ip_rule: z.looseObject({ allowed: z.array(z.string()), blocked: z.array(z.string()) }),
  tags: z.array(z.string()),
  key: z.string().nullish(),
});
export type ApiKey = z.infer<typeof apiKey>;

/** SourceIPRule of requests: CIDR lists. */
export interface SourceIpRuleRequest {
  readonly allowed?: readonly string[];
  readonly blocked?: readonly string[];
}

/** One entry of `permissions` in requests. */
export interface ApiKeyPermissionRequest {
  readonly resource_type: string;
  readonly permission: string;
}

/** Specification section 2.3. */
export interface ApiKeyCreateRequest {
  readonly name: string;
  readonly expires_at: string;
  readonly project_ids: readonly string[];
  readonly permissions: readonly ApiKeyPermissionRequest[];
  readonly starts_at?: string;
  readonly source_ip_rule?: SourceIpRuleRequest;
  readonly tags?: readonly string[];
}

/** Specification section 2.3: what is present replaces the whole member. */
export interface ApiKeyUpdateRequest {
  readonly name?: string;
  readonly permissions?: readonly ApiKeyPermissionRequest[];
  readonly project_ids?: readonly string[];
  readonly source_ip_rule?: SourceIpRuleRequest;
  readonly tags?: readonly string[];
}

/** The organization's keys. */
export type ApiKeys = Collection<ApiKey, ApiKeyCreateRequest, ApiKeyUpdateRequest> &
  Listed<ApiKey> &
  ReadFromLists<ApiKey>;

/** `/v1/api_keys` (section 4). */
export function apiKeys(caller: Caller): ApiKeys {
  const keys = new CollectionAt<ApiKey, ApiKeyCreateRequest, ApiKeyUpdateRequest>(
    caller,
    {
      path: ["v1", "api_keys"],
      item: apiKey,
      noun: "API keys",
    },
    new Quotes(caller, "API keys"),
  );
  return {
    create: async (body, call) => {
      const made = await keys.create(body, call);
      if (made.kind === "resource" && typeof made.resource.key === "string") keepUnshown(made.resource.key);
      return made;
    },
    get: (id, call) => keys.get(id, call),
    update: (id, body, call) => keys.update(id, body, call),
    delete: (id, call) => keys.delete(id, call),
    list: (call) => keys.list(call),
    read: (id, call) => keys.read(id, call),
    quoteCreate: (body, call) => keys.quoteCreate(body, call),
    quoteUpdate: (id, body, call) => keys.quoteUpdate(id, body, call),
  };
}
