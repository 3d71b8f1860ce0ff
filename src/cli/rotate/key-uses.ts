import { EntryOrder, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { dialects } from "../../api/dialect";

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
  for await (const entry of api.auditLogs.list({ actorId, since: earliest, what: "read the audit log" })) {
    const time = Date.parse(entry.created_at);
    order.see(time);
    if (time < earliest && order.isNewestFirst) return;
    const since = wanted.get(entry.actor.id);
    if (since === undefined || time < since || onUse(entry, time)) continue;
    if (order.isNewestFirst) wanted.delete(entry.actor.id);
    if (wanted.size === 0) return;
  }
}
