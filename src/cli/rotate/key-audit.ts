import type { Api } from "../../api/client";
import { requestsOf, usersIn, type KeyUser } from "../../lifecycle/credential/key-uses";
import type { ReplacedKey } from "./stack-keys";

interface ReplacedKeyUser extends KeyUser {
  /** The number of requests since the successor was made. Undefined if the state does not show when that was. */
  readonly countSinceReplaced: number | undefined;
}

/** A replaced key and its users, the latest first. */
export interface AuditedKey extends ReplacedKey {
  readonly users: readonly ReplacedKeyUser[];
}

/** Finds the users of replaced keys since a time, in epoch milliseconds. Rejects with a CloudinfraError. */
export async function auditKeys(api: Api, keys: readonly ReplacedKey[], since: number): Promise<readonly AuditedKey[]> {
  const requests = await requestsOf(
    api,
    keys.map(({ id }) => ({ id, since })),
  );
  return keys.map((key) => {
    const own = requests.of(key.id);
    const late = usersIn(own, key.replacedAt ?? Infinity);
    const users = usersIn(own).map((user): ReplacedKeyUser => {
      const isSame = ({ address, userAgent }: KeyUser): boolean =>
        address === user.address && userAgent === user.userAgent;
      const countSinceReplaced = key.replacedAt === undefined ? undefined : (late.find(isSame)?.count ?? 0);
      return { ...user, countSinceReplaced };
    });
    return { ...key, users };
  });
}
