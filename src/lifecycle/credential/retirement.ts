import type { RetirementRule } from "../../definition/capabilities";
import type { KeyUser, KeyUses } from "./key-uses";
import { secondText } from "../../process/utc";

/** A replaced key that waits for its deletion. Times are epoch milliseconds. */
export interface WaitingKey {
  readonly replacedAt: number;
  /** When it ends by itself, if that is known. */
  readonly endsAt: number | undefined;
}

/** Whether a run deletes a waiting key now, and why. */
export interface Retirement {
  readonly goes: boolean;
  /** Ends a sentence: `the audit log shows no request of it since 2027-02-06T04:00:00Z`. */
  readonly why: string;
  /** The clients that have used the key within the time of quiet: if it goes, it goes in spite of them. */
  readonly clients: readonly KeyUser[];
  /** When it goes at the latest, in epoch milliseconds. */
  readonly until: number;
  /** When it goes if no client uses it from now on, in epoch milliseconds. */
  readonly earliest: number;
}

/**
 * Decides about a replaced key. A key that the log has never shown is not quiet, and neither is one whose log cannot be read: it waits as long as
 * it may. The log then reaches back far enough: it shows a request from before the time of quiet.
 */
export function retirement(rule: RetirementRule, key: WaitingKey, uses: KeyUses, now: number): Retirement {
  const { whenQuietFor, atLatest } = rule;
  const until = Math.min(key.replacedAt + atLatest.ms, key.endsAt ?? Infinity);
  const isRecent = ({ lastUsedAt }: KeyUser): boolean => lastUsedAt > now - whenQuietFor.ms;
  const clients = "unread" in uses ? [] : uses.users.filter(isRecent);
  const answer = (goes: boolean, why: string, quietAt = until): Retirement => {
    return { goes, why, clients, until, earliest: Math.min(quietAt, until) };
  };

  const inSpite = clients.length === 0 ? "" : `, although it was used by ${clientWords(clients)}`;
  if (key.endsAt !== undefined && key.endsAt <= now)
    return answer(true, `it expired on ${secondText(key.endsAt)}${inSpite}`);
  if (until <= now)
    return answer(true, `it was replaced on ${secondText(key.replacedAt)}, and may wait ${atLatest.text}${inSpite}`);
  if ("unread" in uses) return answer(false, uses.unread, uses.isForbidden ? until : now);
  if (uses.lastUsedAt === undefined)
    return answer(false, "the audit log shows no request of it at all, so nothing says that it is quiet");
  const quietAt = Math.max(key.replacedAt, uses.lastUsedAt) + whenQuietFor.ms;
  if (clients.length > 0)
    return answer(false, `since its replacement it was used by ${clientWords(uses.users)}`, quietAt);
  const isQuiet = key.replacedAt + whenQuietFor.ms <= now;
  const shown = `the audit log shows no request of it since ${secondText(uses.lastUsedAt)}`;
  const later = `. It is quiet on ${secondText(quietAt)}, ${whenQuietFor.text} after its replacement`;
  return answer(isQuiet, isQuiet ? shown : shown + later, quietAt);
}

const MOST_CLIENTS = 3;

/** The clients, the latest first: `10.0.0.7 (ci/1.0, 12 requests, the last on 2027-02-06T04:00:00Z)`. */
function clientWords(clients: readonly KeyUser[]): string {
  const words = clients.slice(0, MOST_CLIENTS).map(({ address, userAgent, count, lastUsedAt }) => {
    const requests = count === 1 ? "1 request" : `${count} requests`;
    return `${address} (${userAgent || "no user agent"}, ${requests}, the last on ${secondText(lastUsedAt)})`;
  });
  const others = clients.length - words.length;
  return [...words, ...(others > 0 ? [`${others} more`] : [])].join(" and ");
}
