import { randomUUID } from "node:crypto";
import { z } from "zod";
import { apiKeyStatus, apiKeyUsage, hashSecret, newSecret, type ApiKeyRecord } from "../model/api-keys";
import type { Dialect } from "../model/dialect";
import { formatTimestamp } from "../model/timestamp";
import {
  type ApiKey,
  apiKeyCreateSchema,
  apiKeySchema,
  apiKeyUpdateSchema,
  createdApiKeySchema,
} from "../schemas/api-key";
import { costQuoteSchema, costQuoteUpdateSchema } from "../schemas/cost";
import { byName, byTags, type Filters, matchesOf } from "../schemas/filters";
import { listOf, pageQuery, sortBy } from "../schemas/list";
import { findApiKey, findEditableApiKey, isReachable, projectRules, refuseEscalation } from "./api-key-access";
import { windowRules } from "./api-key-window";
import type { Call } from "./call";
import { quote, quoteUpdate } from "./cost";
import { type Answer, type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";

const collection = "/v1/api_keys";
const item = `${collection}/{api_key_id}`;
const read = { resourceType: "api_key", level: "read" } as const;
const edit = { resourceType: "api_key", level: "edit" } as const;
const audit = (verb: string) => ({
  action: `api_key.${verb}`,
  targetType: "api_key",
  targetParameter: "api_key_id",
});

const filters: Filters<ApiKeyRecord> = { ...byName, ...byTags };

const listQuery = pageQuery.extend({
  sort: sortBy("created_at", "updated_at", "name", "expires_at"),
  name: byName.name.schema,
  status: z.enum(["active", "inactive", "expired"]).optional(),
  tags: byTags.tags.schema,
});

/** An API key as it is at an instant, without its secret. */
export function apiKeyOnWire(record: ApiKeyRecord, nowMs: number): ApiKey {
  return {
    id: record.id,
    name: record.name,
    created_at: formatTimestamp(record.createdAtMs),
    updated_at: formatTimestamp(record.updatedAtMs),
    ...(record.startsAtMs === undefined ? {} : { starts_at: formatTimestamp(record.startsAtMs) }),
    expires_at: formatTimestamp(record.expiresAtMs),
    status: apiKeyStatus(record, nowMs),
    managed: record.managed,
    permissions: [...record.permissions],
    project_ids: [...record.projectIds],
    source_ip_rule: { allowed: [...record.sourceIpRule.allowed], blocked: [...record.sourceIpRule.blocked] },
    tags: [...record.tags],
  };
}

type CreateCall = Call<z.ZodObject, typeof apiKeyCreateSchema>;

function readCreate(call: CreateCall): z.infer<typeof apiKeyCreateSchema> {
  return call.body((members, report) => {
    windowRules(call.nowMs)(members, report);
    projectRules(call)(members, report);
  });
}

function create(call: CreateCall): Answer {
  const { world, caller, nowMs } = call;
  const body = readCreate(call);
  refuseEscalation(caller, { permissions: body.permissions, projectIds: body.project_ids });
  const key = newSecret();
  const record: ApiKeyRecord = {
    id: randomUUID(),
    secretHash: hashSecret(key),
    name: body.name,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    startsAtMs: body.starts_at === undefined ? undefined : Date.parse(body.starts_at),
    expiresAtMs: Date.parse(body.expires_at),
    managed: false,
    permissions: body.permissions,
    projectIds: body.project_ids,
    sourceIpRule: { allowed: body.source_ip_rule?.allowed ?? [], blocked: body.source_ip_rule?.blocked ?? [] },
    tags: body.tags ?? [],
  };
  world.apiKeys.insert(record);
  world.bookkeeping.running.add(apiKeyUsage);
  return { status: 201, body: { ...apiKeyOnWire(record, nowMs), key }, targetId: record.id };
}

function update(call: Call<z.ZodObject, typeof apiKeyUpdateSchema>): Answer {
  const { world, caller, nowMs } = call;
  const record = findEditableApiKey(call);
  const body = call.body(projectRules(call));
  const permissions = body.permissions ?? record.permissions;
  const projectIds = body.project_ids ?? record.projectIds;
  refuseEscalation(caller, { permissions, projectIds });
  const { allowed = [], blocked = [] } = body.source_ip_rule ?? record.sourceIpRule;
  if (Object.keys(body).length > 0) {
    world.apiKeys.update(record.id, {
      name: body.name ?? record.name,
      permissions,
      projectIds,
      sourceIpRule: { allowed, blocked },
      tags: body.tags ?? record.tags,
      updatedAtMs: nowMs,
    });
  }
  return { status: 200, body: apiKeyOnWire(world.apiKeys.table.get(record.id) ?? record, nowMs) };
}

/** The API keys of sections 2.2, 2.3 and 5. They answer at once, without operations. */
export function apiKeyEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const endpoints: AnyEndpoint[] = [
    defineEndpoint({
      method: "POST",
      path: collection,
      operationId: "createApiKey",
      summary: "Creates an API key; the only answer with its secret.",
      needs: edit,
      body: apiKeyCreateSchema,
      status: 201,
      response: createdApiKeySchema,
      audit: { action: "api_key.create", targetType: "api_key" },
      handle: create,
    }),
    defineEndpoint({
      method: "GET",
      path: collection,
      operationId: "listApiKeys",
      summary: "Lists the API keys whose projects the key reaches, oldest first.",
      needs: read,
      query: listQuery,
      status: 200,
      response: listOf(apiKeySchema),
      handle(call) {
        const { cursor, limit, sort, status, ...wanted } = call.query();
        const { caller, nowMs } = call;
        const isMatch = matchesOf(filters, wanted);
        const isFiltered = isMatch !== undefined || status !== undefined || !caller.isOwner;
        return answerPage(
          {
            list: call.world.apiKeys.table.partition(""),
            sort,
            filters: { ...wanted, status, caller: caller.isOwner ? null : caller.actor.id },
            matches: isFiltered
              ? (record) =>
                  isReachable(caller, record) &&
                  (isMatch?.(record) ?? true) &&
                  (status === undefined || apiKeyStatus(record, nowMs) === status)
              : undefined,
            wire: (record) => apiKeyOnWire(record, nowMs),
          },
          { cursor, limit },
        );
      },
    }),
    defineEndpoint({
      method: "GET",
      path: item,
      operationId: "getApiKey",
      summary: "Shows an API key, without its secret.",
      needs: read,
      status: 200,
      response: apiKeySchema,
      handle: (call) => ({ status: 200, body: apiKeyOnWire(findApiKey(call), call.nowMs) }),
    }),
    defineEndpoint({
      method: "PATCH",
      path: item,
      operationId: "updateApiKey",
      summary: "Changes an API key; permissions, project_ids and source_ip_rule replace what was there.",
      needs: edit,
      body: apiKeyUpdateSchema,
      status: 200,
      response: apiKeySchema,
      audit: audit("update"),
      handle: update,
    }),
    defineEndpoint({
      method: "DELETE",
      path: item,
      operationId: "deleteApiKey",
      summary: "Deletes an API key, which signs in no longer.",
      needs: edit,
      status: 204,
      audit: audit("delete"),
      handle(call) {
        call.world.apiKeys.remove(findEditableApiKey(call).id);
        call.world.bookkeeping.running.remove(apiKeyUsage);
        return { status: 204 };
      },
    }),
  ];
  if (dialect === "nirvana") return endpoints;
  return [
    ...endpoints,
    defineEndpoint({
      method: "POST",
      path: `${collection}/cost`,
      operationId: "quoteApiKey",
      summary: "Quotes a proposed API key.",
      needs: read,
      body: apiKeyCreateSchema,
      status: 200,
      response: costQuoteSchema,
      handle(call) {
        readCreate(call);
        return { status: 200, body: quote(call, apiKeyUsage) };
      },
    }),
    defineEndpoint({
      method: "PATCH",
      path: `${item}/cost`,
      operationId: "quoteApiKeyUpdate",
      summary: "Quotes an update of an API key.",
      needs: read,
      body: apiKeyUpdateSchema,
      status: 200,
      response: costQuoteUpdateSchema,
      handle(call) {
        findEditableApiKey(call);
        call.body(projectRules(call));
        return { status: 200, body: quoteUpdate(call, apiKeyUsage, apiKeyUsage) };
      },
    }),
  ];
}
