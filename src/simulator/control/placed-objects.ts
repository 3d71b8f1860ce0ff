import { z } from "zod";
import { hashSecret, newSecret } from "../model/api-keys";
import type { Table } from "../model/table";
import type { Usage } from "../model/prices";
import { usageOfApiKey, usageOfConnection, usageOfFirewallRule } from "../model/usage";
import type { World } from "../model/world";
import { apiKeySchema, sourceIpRuleSchema } from "../schemas/api-key";
import { connectionSchema, type ConnectConnection } from "../schemas/connect";
import { firewallRuleSchema, type FirewallRule } from "../schemas/firewall-rule";

/** `POST /state`: objects as `GET /state` shows them in the specification's names; a key may have its secret beside it. */
export const placedObjects = z.strictObject({
  apiKeys: z
    .array(
      apiKeySchema
        .omit({ status: true })
        .extend({ source_ip_rule: sourceIpRuleSchema, key: z.string().min(1).optional() }),
    )
    .optional(),
  connections: z.array(connectionSchema).optional(),
  firewallRules: z.array(firewallRuleSchema).optional(),
});

/**
 * Puts objects there as they are given, whatever the API itself would take: each takes the place of the one with its id. So
 * a test makes what no request makes: an object with a certain id, or one that was changed where the API changes nothing.
 */
export function placeObjects(world: World, objects: z.infer<typeof placedObjects>): void {
  for (const key of objects.apiKeys ?? []) placeApiKey(world, key);
  for (const connection of objects.connections ?? []) {
    const before = place(world, world.connections, connection, usageOfConnection);
    if (world.dialect !== "nirvana") continue; // only there do they count
    if (before) world.quotas.release(before.region, "connect_connections");
    world.quotas.take(connection.region, "connect_connections");
  }
  for (const rule of objects.firewallRules ?? []) place(world, world.firewallRules, rule, usageOfFirewallRule);
}

type PlacedApiKey = NonNullable<z.infer<typeof placedObjects>["apiKeys"]>[number];

/** Without a secret beside it, a key keeps the one that it has; a new one's is known to nobody. */
function placeApiKey({ apiKeys, running }: World, placed: PlacedApiKey): void {
  const { id, name, managed, tags, key } = placed;
  const before = apiKeys.table.get(id);
  const secretHash = key === undefined ? (before?.secretHash ?? hashSecret(newSecret())) : hashSecret(key);
  if (before) apiKeys.remove(id);
  else running.add(usageOfApiKey());
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

function place<T extends ConnectConnection | FirewallRule>(
  { running }: World,
  table: Table<T>,
  object: T,
  usageOf: (object: T) => readonly Usage[],
): T | undefined {
  const before = table.get(object.id);
  table.remove(object.id);
  table.insert(object);
  if (before && isCounted(before)) running.remove(usageOf(before));
  if (isCounted(object)) running.add(usageOf(object));
  return before;
}

/** What was never ready is not billed. */
function isCounted({ status }: ConnectConnection | FirewallRule): boolean {
  return status !== "creating" && status !== "error";
}
