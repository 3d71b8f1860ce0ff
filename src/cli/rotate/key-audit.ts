import { EntryOrder, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import type { ReplacedKey } from "./stack-keys";
import { dialects } from "../../api/dialect";
import type { KeyUser } from "../../lifecycle/credential/key-uses";

/** A user of a replaced key. */
export interface ReplacedKeyUser extends KeyUser {
  /** The number of requests since the successor was made. Undefined if the state does not show when that was. */
  readonly countSinceReplaced: number | undefined;
}

/** A replaced key and its users, the latest first. */
export interface AuditedKey extends ReplacedKey {
  readonly users: readonly ReplacedKeyUser[];
}

/** Finds the users of replaced keys since a time, in epoch milliseconds. Rejects with a CloudinfraError. */
export async function auditKeys(api: Api, keys: readonly ReplacedKey[], since: number): Promise<readonly AuditedKey[]> {
  const replacedAt = new Map(keys.map((key) => [key.id, key.replacedAt]));
  const users = new Map<string, Map<string, ReplacedKeyUser>>(keys.map(({ id }) => [id, new Map()]));
  await readUses(
    api,
    keys.map(({ id }) => ({ id, since })),
    (entry, time) => {
      const ofKey = users.get(entry.actor.id);
      const who = JSON.stringify([entry.client_ip, entry.user_agent]);
      ofKey?.set(who, counted(ofKey.get(who), { entry, time, replacedAt: replacedAt.get(entry.actor.id) }));
      return true;
    },
  );
  return keys.map((key) => ({
    ...key,
    users: [...(users.get(key.id)?.values() ?? [])].sort((one, other) => other.lastUsedAt - one.lastUsedAt),
  }));
}

interface Use {
  readonly entry: AuditLog;
  readonly time: number;
  readonly replacedAt: number | undefined;
}

function counted(before: ReplacedKeyUser | undefined, { entry, time, replacedAt }: Use): ReplacedKeyUser {
  const { actor, client_ip: address, user_agent: userAgent } = entry;
  const isLate = replacedAt !== undefined && time >= replacedAt;
  return {
    actor,
    address,
    userAgent,
    count: (before?.count ?? 0) + 1,
    countSinceReplaced: replacedAt === undefined ? undefined : (before?.countSinceReplaced ?? 0) + (isLate ? 1 : 0),
    lastUsedAt: Math.max(before?.lastUsedAt ?? 0, time),
  };
}

/** A key, and the start of the period in epoch milliseconds. */
export interface UsesOf {
  readonly id: string;
  readonly since: number;
}

/** Called with each use, the latest first. Answers whether earlier uses of this key are wanted. */
export type OnUse = (entry: AuditLog, time: number) => boolean;

/**
 * Finds the audited requests of keys. It reads only as much as necessary: each key's own entries if the service filters, and
 * the newest first if it sorts.
 */
export async function readUses(api: Api, keys: readonly UsesOf[], onUse: OnUse): Promise<void> {
  const groups = dialects[api.dialect].filtersAuditLogs ? keys.map((key) => [key]) : keys.length > 0 ? [keys] : [];
  await Promise.all(groups.map((group) => readGroup(api, group, onUse)));
}

async function readGroup(api: Api, keys: readonly UsesOf[], onUse: OnUse): Promise<void> {
  const wanted = new Map(keys.map(({ id, since }) => [id, since]));
  const earliest = Math.min(...wanted.values());
  const order = new EntryOrder("sort" in dialects[api.dialect].newestFirst);
  const actorId = keys.length === 1 ? keys[0]?.id : undefined;
  for await (const entry of api.auditLogs.list({ actorId, since: earliest, purpose: "read the audit log" })) {
    const time = Date.parse(entry.created_at);
    order.see(time);
    if (time < earliest && order.isNewestFirst) return;
    const since = wanted.get(entry.actor.id);
    if (since === undefined || time < since || onUse(entry, time)) continue;
    if (order.isNewestFirst) wanted.delete(entry.actor.id);
    if (wanted.size === 0) return;
  }
}
