import { EntryOrder, MAX_ENTRIES, TOO_LONG, type AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { dialects } from "../../api/dialect";
import { ApiError, ForbiddenError, RequestError } from "../../api/errors";
import { idKey } from "../../definition/same-id";
import type { RetiredObject } from "../resource-request";

type AuditLogApi = Pick<Api, "auditLogs" | "dialect">;

/** A key, and the part of the log to search for its requests. Times are epoch milliseconds. */
interface WantedKey {
  readonly id: string;
  /** The start of the period. Default: the start of the log. */
  readonly since?: number | undefined;
  /** Reading may stop at this time, if the key's latest request is found. Default: it goes on to `since`. */
  readonly enoughFrom?: number;
}

interface ReadLimits {
  readonly mostEntries?: number;
  readonly purpose?: string;
}

interface KeyRequests {
  /** The requests of a key, in the order of the log. */
  readonly of: (id: string) => readonly AuditLog[];
  /**
   * No wanted entry of the key that was not read is later than this time, in epoch milliseconds. Undefined if all were
   * read, and Infinity if that is not known.
   */
  readonly latestUnread: (id: string) => number | undefined;
}

/**
 * Reads the requests of keys in the audit log, and no more of the log than necessary. It reads each key's own entries
 * if the API filters, and the newest first if it sorts. Rejects with a CloudinfraError.
 */
export async function requestsOf(
  api: AuditLogApi,
  keys: readonly WantedKey[],
  { mostEntries = Infinity, purpose = "read the audit log" }: ReadLimits = {},
): Promise<KeyRequests> {
  const found = new Map<string, AuditLog[]>(keys.map(({ id }) => [idKey(id), []]));
  const groups = dialects[api.dialect].filtersAuditLogs ? keys.map((key) => [key]) : keys.length > 0 ? [keys] : [];
  const latestUnread = new Map<string, number>();
  await Promise.all(groups.map(readGroup));
  return { of: (id) => found.get(idKey(id)) ?? [], latestUnread: (id) => latestUnread.get(idKey(id)) };

  async function readGroup(group: readonly WantedKey[]): Promise<void> {
    const order = new EntryOrder("sort" in dialects[api.dialect].newestFirst);
    const earliest = Math.min(...group.map(({ since = 0 }) => since));
    const starts = new Map(group.map(({ id, since = 0 }) => [idKey(id), since]));
    const lastUses = new Map<string, number>();
    const actorId = group.length === 1 ? group[0]?.id : undefined;
    const options = { actorId, since: earliest > 0 ? earliest : undefined, purpose };
    let count = 0;
    for await (const entry of api.auditLogs.list(options)) {
      const time = timeOfEntry(entry);
      order.add(time);
      const actor = idKey(entry.actor.id);
      if (time >= (starts.get(actor) ?? Infinity)) {
        found.get(actor)?.push(entry);
        lastUses.set(actor, Math.max(time, lastUses.get(actor) ?? -Infinity));
      }
      const { latestOfRest } = order;
      const isRead = ({ id, since = 0, enoughFrom = -Infinity }: WantedKey): boolean =>
        latestOfRest < since || (latestOfRest < enoughFrom && latestOfRest <= (lastUses.get(idKey(id)) ?? -Infinity));
      if (group.every(isRead)) return;
      if ((count += 1) < mostEntries) continue;
      for (const { id } of group) latestUnread.set(idKey(id), latestOfRest);
      return;
    }
  }
}

/** A user of a key: one program at one address. Times are epoch milliseconds. */
export interface KeyUser {
  readonly actor: AuditLog["actor"];
  readonly address: string;
  readonly userAgent: string;
  readonly count: number;
  readonly lastUsedAt: number;
}

/** The uses of a key that the audit log shows, or why it was not read. */
export type KeyUses =
  | {
      /** The users since the key was replaced, the latest first. */
      readonly users: readonly KeyUser[];
      /** The last use, before or after the replacement. Undefined if the log shows no request. */
      readonly lastUsedAt: number | undefined;
    }
  | {
      readonly unread: string;
      /** True if another attempt would have the same result. */
      readonly isLasting?: boolean;
    };

/** Reads the audit log back to the replacement of each key, and further until it has shown a request of each. */
export async function usesOf(
  api: AuditLogApi,
  keys: readonly Pick<RetiredObject, "id" | "replacedAt">[],
): Promise<(id: string) => KeyUses> {
  const wanted = keys.map(({ id, replacedAt }) => ({ id, enoughFrom: replacedAt }));
  const replacedAt = new Map(keys.map((key) => [idKey(key.id), key.replacedAt]));
  try {
    const requests = await requestsOf(api, wanted, { mostEntries: MAX_ENTRIES });
    return (id) => {
      const own = requests.of(id);
      const latestUnread = requests.latestUnread(id);
      if (latestUnread === Infinity || (latestUnread !== undefined && own.length === 0)) return TOO_LONG_TO_READ;
      return { users: usersIn(own, replacedAt.get(idKey(id))), lastUsedAt: lastTimeIn(own) };
    };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    if (error instanceof ForbiddenError)
      return unread("the provider's API key may not read the audit log (audit_log:read)", true);
    return unread(
      `the audit log could not be read (${error instanceof ApiError ? error.responseText : error.message})`,
    );
  }
}

const TOO_LONG_TO_READ: KeyUses = {
  unread: `${TOO_LONG} whether a client uses it. If none does, delete it yourself`,
  isLasting: true,
};

function unread(reason: string, isLasting = false): () => KeyUses {
  return () => ({ unread: reason, isLasting });
}

/** The users in the entries since a time, the latest first. */
export function usersIn(entries: readonly AuditLog[], since = 0): readonly KeyUser[] {
  const users = new Map<string, KeyUser>();
  for (const entry of entries) {
    const time = timeOfEntry(entry);
    if (time < since) continue;
    const { actor, client_ip: address, user_agent: userAgent } = entry;
    const client = JSON.stringify([address, userAgent]);
    const { count = 0, lastUsedAt = 0 } = users.get(client) ?? {};
    users.set(client, { actor, address, userAgent, count: count + 1, lastUsedAt: Math.max(lastUsedAt, time) });
  }
  return [...users.values()].sort((one, other) => other.lastUsedAt - one.lastUsedAt);
}

/** The time of the latest entry. The entries may be in any order. */
export function lastTimeIn(entries: readonly AuditLog[]): number | undefined {
  return entries.length === 0 ? undefined : entries.reduce((last, entry) => Math.max(last, timeOfEntry(entry)), 0);
}

function timeOfEntry({ created_at: time }: AuditLog): number {
  return Date.parse(time);
}
