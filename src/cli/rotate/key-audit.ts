import type { AuditLog } from "../../api/lists/audit-log";
import type { Api } from "../../api/client";
import { readUses } from "./key-uses";
import type { ReplacedKey } from "./stack-keys";

/** A user of a replaced key: one program at one address. Times are epoch milliseconds. */
export interface KeyUser {
  readonly actor: AuditLog["actor"];
  readonly address: string;
  readonly userAgent: string;
  readonly count: number;
  /** The number of requests since the successor was made. Undefined if the state does not show when that was. */
  readonly countSinceReplaced: number | undefined;
  readonly lastUsedAt: number;
}

/** A replaced key and its users, the latest first. */
export interface AuditedKey extends ReplacedKey {
  readonly users: readonly KeyUser[];
}

/** Finds the users of replaced keys since a time, in epoch milliseconds. Rejects with a CloudinfraError. */
export async function auditKeys(api: Api, keys: readonly ReplacedKey[], since: number): Promise<readonly AuditedKey[]> {
  const replacedAt = new Map(keys.map((key) => [key.id, key.replacedAt]));
  const users = new Map<string, Map<string, KeyUser>>(keys.map(({ id }) => [id, new Map()]));
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

function counted(before: KeyUser | undefined, { entry, time, replacedAt }: Use): KeyUser {
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
