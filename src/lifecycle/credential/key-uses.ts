import { EntryOrder, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { dialects } from "../../api/dialect";
import { ApiError, ForbiddenError } from "../../api/errors";
import { idKey } from "../../api/same-id";

/** The most entries that are read, in pages of a hundred. */
const MOST_ENTRIES = 5_000;

/** A user of a key: one program at one address. Times are epoch milliseconds. */
export interface KeyUser {
  readonly actor: AuditLog["actor"];
  readonly address: string;
  readonly userAgent: string;
  readonly count: number;
  readonly lastUsedAt: number;
}

/** What the audit log shows of a key, or why it shows nothing. */
export type KeyUses =
  | {
      /** Since it was replaced, the latest first. */
      readonly users: readonly KeyUser[];
      /** Before or since. Undefined if the log shows no request. */
      readonly lastUsedAt: number | undefined;
    }
  | { readonly unread: string };

/** A key, and when its successor was made, in epoch milliseconds. */
export interface AskedKey {
  readonly id: string;
  readonly replacedAt: number;
}

/** Reads the audit log until it has shown a request of each key, and all since each was replaced. */
export async function usesOf(api: Api, keys: readonly AskedKey[]): Promise<(id: string) => KeyUses> {
  const entries = new Map<string, AuditLog[]>(keys.map(({ id }) => [idKey(id), []]));
  const groups = dialects[api.dialect].filtersAuditLogs ? keys.map((key) => [key]) : keys.length > 0 ? [keys] : [];
  let unread: string | undefined;
  try {
    const areCertain = await Promise.all(groups.map((group) => readGroup(api, group, entries)));
    if (areCertain.includes(false)) unread = "the audit log is too long to be read in the order in which it comes";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    unread =
      error instanceof ForbiddenError
        ? "the provider's API key may not read the audit log (audit_log:read)"
        : `the audit log could not be read (${error.answer})`;
  }
  const replacedAt = new Map(keys.map((key) => [idKey(key.id), key.replacedAt]));
  return (id) => {
    if (unread !== undefined) return { unread };
    const own = entries.get(idKey(id)) ?? [];
    const times = own.map(timeOf);
    const since = own.filter((entry) => timeOf(entry) >= (replacedAt.get(idKey(id)) ?? 0));
    return { users: usersIn(since), lastUsedAt: times.length === 0 ? undefined : Math.max(...times) };
  };
}

/** Whether what was not read is certain to be earlier than what was. */
async function readGroup(
  api: Api,
  keys: readonly AskedKey[],
  entries: ReadonlyMap<string, AuditLog[]>,
): Promise<boolean> {
  const order = new EntryOrder("sort" in dialects[api.dialect].newestFirst);
  const actorId = keys.length === 1 ? keys[0]?.id : undefined;
  let count = 0;
  for await (const entry of api.auditLogs.list({ actorId, purpose: "read the audit log" })) {
    const time = timeOf(entry);
    order.see(time);
    entries.get(idKey(entry.actor.id))?.push(entry);
    const isDone = (key: AskedKey): boolean => time < key.replacedAt && entries.get(idKey(key.id))?.length !== 0;
    if (order.isNewestFirst && keys.every(isDone)) return true;
    if ((count += 1) === MOST_ENTRIES) return order.isNewestFirst;
  }
  return true;
}

/** The users that these entries show, the latest first. */
function usersIn(entries: readonly AuditLog[]): readonly KeyUser[] {
  const users = new Map<string, KeyUser>();
  for (const entry of entries) {
    const who = JSON.stringify([entry.client_ip, entry.user_agent]);
    const { actor, client_ip: address, user_agent: userAgent } = entry;
    const { count = 0, lastUsedAt = 0 } = users.get(who) ?? {};
    users.set(who, { actor, address, userAgent, count: count + 1, lastUsedAt: Math.max(lastUsedAt, timeOf(entry)) });
  }
  return [...users.values()].sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

function timeOf({ created_at: time }: AuditLog): number {
  return Date.parse(time);
}
