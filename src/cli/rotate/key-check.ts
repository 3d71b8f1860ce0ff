import type { Temporal } from "temporal-polyfill";
import type { Api } from "../../api/client";
import { ForbiddenError, NotFoundError } from "../../api/errors";
import { collectionAt } from "../../lifecycle/kind/collection-at";
import { apiKey } from "../../resources/api-key";
import { lastTimeIn, requestsOf } from "../../lifecycle/credential/key-uses";
import { after } from "../../rotation/calendar";
import type { StackKey } from "./stack-keys";

/** Why a key is due: the service no longer has it, it has expired, its rotation is due, or it ends within the given time. */
export type DueReason = "gone" | "expired" | "rotates" | "ends soon";

/** The findings on a key. Times are epoch milliseconds. */
export interface CheckedKey extends Pick<StackKey, "urn" | "name" | "id" | "isPendingDeletion"> {
  /** The service's own word. `gone` if the service no longer has the key. From the dates if the service does not say it. */
  readonly status: string;
  readonly expiresAt: number | undefined;
  /** As the next run plans it. */
  readonly rotatesAt: number | undefined;
  readonly due: DueReason | undefined;
  /** From the audit log. Undefined if the log shows no use, or cannot be read. */
  readonly lastUsedAt: number | undefined;
}

export interface Check {
  readonly keys: readonly CheckedKey[];
  /** Sentences on questions that could not be asked. */
  readonly warnings: readonly string[];
}

export interface CheckRequest {
  readonly now: number;
  /** A key that ends within this time is due as well. */
  readonly within: Temporal.Duration | undefined;
  /** The start of the period in the audit log, in epoch milliseconds. Undefined means each key's creation. */
  readonly since: number | undefined;
}

/** Looks up each key at the service. Rejects with a CloudinfraError if the service does not answer. */
export async function checkKeys(api: Api, keys: readonly StackKey[], request: CheckRequest): Promise<Check> {
  const statuses = await statusesOf(api, keys, request.now);
  const uses = await lastUses(api, keys, request.since);
  const checked = keys.map((key, index) => {
    const shown = statuses.answer[index] ?? byItsDates(key, request.now);
    return checkedKey(key, { ...shown, lastUsedAt: uses.answer(key.id) }, request);
  });
  return { keys: checked, warnings: [...statuses.warnings, ...uses.warnings] };
}

/** What the state alone says of a key, whose account does not answer. */
export function keyOfState(key: StackKey, request: DueRequest): CheckedKey {
  return checkedKey(key, { status: "unknown", expiresAt: key.expiresAt, lastUsedAt: undefined }, request);
}

function checkedKey(
  { urn, name, id, isPendingDeletion, ...planned }: StackKey,
  { status, expiresAt, lastUsedAt }: Pick<CheckedKey, "status" | "expiresAt" | "lastUsedAt">,
  request: DueRequest,
): CheckedKey {
  const rotatesAt = planned.rotatesAt(request.now);
  const due = isPendingDeletion ? undefined : dueReason({ status, expiresAt, rotatesAt }, request);
  return { urn, name, id, isPendingDeletion, rotatesAt, status, expiresAt, due, lastUsedAt };
}

type DueRequest = Pick<CheckRequest, "now" | "within">;

/** Why a key is due now, if it is. */
export function dueReason(
  { status, expiresAt, rotatesAt }: Pick<CheckedKey, "status" | "expiresAt" | "rotatesAt">,
  { now, within }: DueRequest,
): DueReason | undefined {
  if (status === "gone") return "gone";
  if (status === "expired" || (expiresAt !== undefined && expiresAt <= now)) return "expired";
  if (rotatesAt !== undefined && rotatesAt <= now) return "rotates";
  if (within && expiresAt !== undefined && expiresAt <= after(now, within)) return "ends soon";
  return undefined;
}

interface Told<Answer> {
  readonly answer: Answer;
  readonly warnings: readonly string[];
}

type Status = Pick<CheckedKey, "status" | "expiresAt">;

async function statusesOf(api: Api, keys: readonly StackKey[], now: number): Promise<Told<readonly Status[]>> {
  const apiKeys = collectionAt(api, apiKey);
  const refused: StackKey[] = [];
  const answer = await Promise.all(
    keys.map(async (key): Promise<Status> => {
      try {
        const { status, expires_at } = await apiKeys.get(key.id, { purpose: `read API key ${key.name}` });
        return { status: String(status), expiresAt: Date.parse(String(expires_at)) };
      } catch (error) {
        if (error instanceof NotFoundError) return { status: "gone", expiresAt: key.expiresAt };
        if (!(error instanceof ForbiddenError)) throw error;
        refused.push(key);
        return byItsDates(key, now);
      }
    }),
  );
  if (refused.length === 0) return { answer, warnings: [] };
  const names = refused.map(({ name }) => name).join(", ");
  return {
    answer,
    warnings: [
      `The API key in use may not read ${names}: the status is from the dates in the state. It needs api_key:read.`,
    ],
  };
}

function byItsDates({ startsAt, expiresAt }: StackKey, now: number): Status {
  if (expiresAt === undefined) return { status: "unknown", expiresAt };
  if (expiresAt <= now) return { status: "expired", expiresAt };
  return { status: startsAt !== undefined && startsAt > now ? "inactive" : "active", expiresAt };
}

async function lastUses(
  api: Api,
  keys: readonly StackKey[],
  since: number | undefined,
): Promise<Told<(id: string) => number | undefined>> {
  const wanted = keys.map(({ id, createdAt = 0 }) => {
    return { id, since: Math.max(createdAt, since ?? 0), isEnough: (_: number, found: number) => found > 0 };
  });
  try {
    const requests = await requestsOf(api, wanted);
    return { answer: (id) => lastTimeIn(requests.of(id)), warnings: [] };
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    const warning = "The API key in use may not read the audit log. It needs audit_log:read.";
    return { answer: () => undefined, warnings: [warning] };
  }
}
