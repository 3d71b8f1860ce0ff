import type { Temporal } from "temporal-polyfill";
import type { Api } from "../../api/client";
import { ForbiddenError, NotFoundError } from "../../api/errors";
import { collectionAt } from "../../lifecycle/kind/collection-at";
import { apiKey } from "../../resources/api-key";
import { lastTimeIn, requestsOf, usersIn, usesOf, type KeyUser } from "../../lifecycle/credential/key-uses";
import { retirement, type Retirement } from "../../lifecycle/credential/retirement";
import { after } from "../../time/calendar";
import { oncePerId, type ReplacedKey, type StackKey, type WaitingStackKey } from "./stack-keys";

/**
 * Why a key is due: it no longer exists, it has expired, its rotation is due, it expires within the given time, or a
 * run has replaced it and failed before the end.
 */
export type DueReason = "missing" | "expired" | "rotates" | "ends soon" | "replaced";

/** The findings on a key. Times are epoch milliseconds. */
export interface CheckedKey extends Pick<StackKey, "urn" | "name" | "id"> {
  /** The API's status. `missing` if the key no longer exists. Derived from the dates if the API does not show it. */
  readonly status: string;
  readonly expiresAt: number | undefined;
  /** The rotation that the next run would plan. */
  readonly rotatesAt: number | undefined;
  readonly due: DueReason | undefined;
  /** From the audit log. Undefined if the log shows no use, or cannot be read. */
  readonly lastUsedAt: number | undefined;
}

interface CheckRequest {
  readonly now: number;
  /** Keys that expire within this time are due too. */
  readonly within: Temporal.Duration | undefined;
  /** The start of the period in the audit log, in epoch milliseconds. Default: the creation of each key. */
  readonly since: number | undefined;
  /** Called with a sentence on each request that was refused. */
  readonly warn: (text: string) => void;
}

/** Looks up each key at the API. Rejects with a CloudinfraError if the API does not answer. */
export async function checkKeys(
  api: Api,
  keys: readonly StackKey[],
  request: CheckRequest,
): Promise<readonly CheckedKey[]> {
  const shown = await statusesOf(api, keys, request);
  const lastUse = await lastUses(api, keys, request);
  return shown.map(([key, status]) => checkedKey(key, { ...status, lastUsedAt: lastUse(key.id) }, request));
}

/** The findings on a key from the state alone, because its account does not answer. */
export function keyOfState(key: StackKey, request: DueRequest): CheckedKey {
  return checkedKey(key, { status: "unknown", expiresAt: key.expiresAt, lastUsedAt: undefined }, request);
}

function checkedKey(
  { urn, name, id, isPendingDeletion, ...planned }: StackKey,
  { status, expiresAt, lastUsedAt }: Pick<CheckedKey, "status" | "expiresAt" | "lastUsedAt">,
  request: DueRequest,
): CheckedKey {
  const rotatesAt = planned.rotatesAt(request.now);
  const due = isPendingDeletion ? "replaced" : dueReason({ status, expiresAt, rotatesAt }, request);
  return { urn, name, id, rotatesAt, status, expiresAt, due, lastUsedAt };
}

type DueRequest = Pick<CheckRequest, "now" | "within">;

/** Why a key is due now. Undefined if it is not due. */
function dueReason(
  { status, expiresAt, rotatesAt }: Pick<CheckedKey, "status" | "expiresAt" | "rotatesAt">,
  { now, within }: DueRequest,
): DueReason | undefined {
  if (status === "missing") return "missing";
  if (status === "expired" || (expiresAt !== undefined && expiresAt <= now)) return "expired";
  if (rotatesAt !== undefined && rotatesAt <= now) return "rotates";
  if (within && expiresAt !== undefined && expiresAt <= after(now, within)) return "ends soon";
  return undefined;
}

type Status = Pick<CheckedKey, "status" | "expiresAt">;

/** The status of each key: see `CheckedKey`. Rejects with a CloudinfraError if the API does not answer. */
export async function statusesOf(
  api: Api,
  keys: readonly StackKey[],
  { now, warn }: Pick<CheckRequest, "now" | "warn">,
): Promise<readonly (readonly [StackKey, Status])[]> {
  const apiKeys = collectionAt(api, apiKey);
  const refused: string[] = [];
  const statuses = await Promise.all(
    keys.map(async (key): Promise<readonly [StackKey, Status]> => {
      try {
        const { status, expires_at } = await apiKeys.get(key.id, { purpose: `read API key ${key.name}` });
        return [key, { status: String(status), expiresAt: Date.parse(String(expires_at)) }];
      } catch (error) {
        if (error instanceof NotFoundError) return [key, { status: "missing", expiresAt: key.expiresAt }];
        if (!(error instanceof ForbiddenError)) throw error;
        refused.push(key.name);
        return [key, byItsDates(key, now)];
      }
    }),
  );
  const reason = "the status is from the dates in the state. It needs api_key:read.";
  if (refused.length > 0) warn(`The API key in use may not read ${refused.join(", ")}: ${reason}`);
  return statuses;
}

function byItsDates({ startsAt, expiresAt }: StackKey, now: number): Status {
  if (expiresAt === undefined) return { status: "unknown", expiresAt };
  if (expiresAt <= now) return { status: "expired", expiresAt };
  return { status: startsAt !== undefined && startsAt > now ? "inactive" : "active", expiresAt };
}

async function lastUses(
  api: Api,
  keys: readonly StackKey[],
  { since, warn }: CheckRequest,
): Promise<(id: string) => number | undefined> {
  const wanted = keys.map(({ id, createdAt = 0 }) => {
    return { id, since: Math.max(createdAt, since ?? 0), enoughFrom: Infinity };
  });
  try {
    const requests = await requestsOf(api, wanted);
    return (id) => lastTimeIn(requests.of(id));
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    warn("The API key in use may not read the audit log. It needs audit_log:read.");
    return () => undefined;
  }
}

/** A replaced key that waits for its clients, and the decision of the next run. */
export interface CheckedWaitingKey extends WaitingStackKey, Pick<StackKey, "urn" | "name"> {
  readonly verdict: Retirement;
}

/**
 * Decides about waiting keys as a run at the API's present time would. Leaves out keys that the provider signs in with:
 * those also wait until it signs in with the successor. Rejects with a CloudinfraError.
 */
export async function checkWaiting(
  api: Api,
  keys: readonly StackKey[],
): Promise<{ readonly now: number; readonly waiting: readonly CheckedWaitingKey[] }> {
  const now = await api.fetchTime();
  const all = keys.flatMap(({ urn, name, waiting }) => waiting.map((key) => ({ ...key, urn, name })));
  const waiting = oncePerId(all).filter(({ isOwn }) => !isOwn);
  const uses = await usesOf(api, waiting);
  return { now, waiting: waiting.map((key) => ({ ...key, verdict: retirement(key.rule, key, uses(key.id), now) })) };
}

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
