import { z } from "zod";
import { apiKeyUsage, hashSecret, newSecret } from "../model/api-keys";
import type { Stored } from "../model/lifecycle";
import type { World } from "../model/world";
import type { Noun } from "../nouns/noun";
import { apiKeySchema, sourceIpRuleSchema } from "../schemas/api-key";

/** A key as `GET /state` shows it; it may have its secret beside it. */
const placedApiKey = apiKeySchema
  .omit({ status: true })
  .extend({ source_ip_rule: sourceIpRuleSchema, key: z.string().min(1).optional() });

/** `POST /state`: objects as `GET /state` shows them in the specification's names. */
export function placedObjects(nouns: readonly Noun[]) {
  return z.strictObject({
    apiKeys: z.array(placedApiKey).optional(),
    ...Object.fromEntries(nouns.map(({ key, kept }) => [key, z.array(kept).optional()])),
  });
}

/**
 * Stores objects as they are given, without the API's rules. Each replaces the object with the same id. So a test can make an
 * object with a certain id, or change what the API does not change.
 */
export function placeObjects(
  world: World,
  nouns: readonly Noun[],
  objects: z.infer<ReturnType<typeof placedObjects>>,
): void {
  for (const key of objects.apiKeys ?? []) placeApiKey(world, key);
  for (const noun of nouns) {
    const placed = (objects as Readonly<Record<string, unknown>>)[noun.key] as readonly Stored[] | undefined;
    for (const object of placed ?? []) world.lifecycle(noun).put(object);
  }
  world.bookkeeping.review();
}

/** Takes an object away without the API's rules, as whatever made it would. False if there is none. */
export function removeObject(world: World, nouns: readonly Noun[], key: string, id: string): boolean {
  const noun = nouns.find((candidate) => candidate.key === key);
  if (!noun || world.lifecycle(noun).table.get(id) === undefined) return false;
  world.lifecycle(noun).remove(id);
  world.bookkeeping.review();
  return true;
}

/** A key without a secret keeps the one that it has. Nobody knows the secret of a new key. */
function placeApiKey({ apiKeys, bookkeeping }: World, placed: z.infer<typeof placedApiKey>): void {
  const { id, name, managed, tags, key } = placed;
  const before = apiKeys.table.get(id);
  const secretHash = key === undefined ? (before?.secretHash ?? hashSecret(newSecret())) : hashSecret(key);
  if (before) apiKeys.remove(id);
  else bookkeeping.running.add(apiKeyUsage);
  apiKeys.insert({
    ...{ id, name, managed, tags, secretHash },
    createdAtMs: Date.parse(placed.created_at),
    updatedAtMs: Date.parse(placed.updated_at),
    startsAtMs: placed.starts_at === undefined ? undefined : Date.parse(placed.starts_at),
    expiresAtMs: Date.parse(placed.expires_at),
    permissions: placed.permissions,
    projectIds: placed.project_ids,
    sourceIpRule: placed.source_ip_rule,
  });
}
