import { listed } from "../../text/terminal-text";
import type { DeletionOfOld, RetirementRule } from "../../definition/capabilities";
import type { Props, ResourceKind } from "../kind/kind";
import type { ResourceCall } from "../objects/resource-call";
import type { DeclaredResource, RetiredObject } from "../resource-request";
import type { KeyUser, KeyUses } from "./key-uses";
import { secondText } from "../../time/utc";

/** A replaced key that waits for its deletion. */
export type WaitingKey = Pick<RetiredObject, "replacedAt" | "expiresAt">;

/** The decision about a waiting key, and its reason. */
export interface Retirement {
  readonly isDue: boolean;
  /** Ends a sentence: `the audit log shows no request of it since 2027-02-06T04:00:00Z`. */
  readonly reason: string;
  /**
   * The clients that have used the key within the quiet period. If the key is deleted nevertheless, the row warns of
   * them.
   */
  readonly clients: readonly KeyUser[];
  /** The latest time of the deletion, in epoch milliseconds. */
  readonly until: number;
  /** The time of the deletion if no client uses the key from now on, in epoch milliseconds. */
  readonly earliest: number;
  /** True if the audit log cannot be read, and another attempt would have the same result. */
  readonly isUnreadable: boolean;
}

/** True if the object was made before the latest retirement of its pair, so that its secret may have leaked. */
export function hasLeaked({ memory }: DeclaredResource, old: Pick<DeclaredResource, "memory">): boolean {
  return memory.retirements > old.memory.retirements;
}

/**
 * When the program wants the old object of a replacement to be deleted. A leaked key of a pair does not wait for its
 * clients.
 */
export function deletionOfOld(
  kind: Pick<ResourceKind, "deletionOfOld">,
  props: Props,
  isLeaked: boolean,
): DeletionOfOld {
  return isLeaked ? "atOnce" : (kind.deletionOfOld?.(props) ?? "atOnce");
}

/**
 * As `deletionOfOld`, for the replaced object, also one of an earlier run. Its successor may be in the other front's
 * process, which has noted what the program wants.
 */
export function deletionOfReplaced({ kind, run, request }: ResourceCall, id: string): DeletionOfOld {
  const program = run.memory.programForOld(request, id);
  if (hasLeaked(program, request)) return "atOnce";
  return run.memory.objects.of(id).successor?.deletion ?? deletionOfOld(kind, program.props, false);
}

/**
 * Decides about a replaced key. If the log cannot be read, or shows no request of the key at all, the key waits as long
 * as it may: only a log that shows a request from before the quiet period proves that it reaches back far enough.
 */
export function retirement(rule: RetirementRule, key: WaitingKey, uses: KeyUses, now: number): Retirement {
  const { whenQuietFor, atLatest } = rule;
  const until = Math.min(key.replacedAt + atLatest.ms, key.expiresAt ?? Infinity);
  const isRecent = ({ lastUsedAt }: KeyUser): boolean => lastUsedAt > now - whenQuietFor.ms;
  const clients = "unread" in uses ? [] : uses.users.filter(isRecent);
  const isUnreadable = "unread" in uses && uses.isLasting === true;
  const answer = (isDue: boolean, reason: string, quietAt = until): Retirement => {
    return { isDue, reason, clients, until, earliest: Math.min(quietAt, until), isUnreadable };
  };

  const despiteUse = clients.length === 0 ? "" : `, although it was used by ${clientWords(clients)}`;
  if (key.expiresAt !== undefined && key.expiresAt <= now)
    return answer(true, `it expired on ${secondText(key.expiresAt)}${despiteUse}`);
  if (until <= now)
    return answer(true, `it was replaced on ${secondText(key.replacedAt)}, and may wait ${atLatest.text}${despiteUse}`);
  if ("unread" in uses) return answer(false, uses.unread, isUnreadable ? until : now);
  if (uses.lastUsedAt === undefined)
    return answer(false, "the audit log shows no request of it at all, so nothing says whether a client uses it");
  const quietAt = Math.max(key.replacedAt, uses.lastUsedAt) + whenQuietFor.ms;
  if (clients.length > 0)
    return answer(false, `since its replacement it was used by ${clientWords(uses.users)}`, quietAt);
  const isQuiet = key.replacedAt + whenQuietFor.ms <= now;
  const shown = `the audit log shows no request of it since ${secondText(uses.lastUsedAt)}`;
  const later = `. It is quiet on ${secondText(quietAt)}, ${whenQuietFor.text} after its replacement`;
  return answer(isQuiet, isQuiet ? shown : shown + later, quietAt);
}

const MAX_CLIENTS = 3;

/** The first clients in words: `10.0.0.7 (ci/1.0, 12 requests, the last on 2027-02-06T04:00:00Z)`. */
function clientWords(clients: readonly KeyUser[]): string {
  const words = clients.map(({ address, userAgent, count, lastUsedAt }) => {
    const requests = count === 1 ? "1 request" : `${count} requests`;
    return `${address} (${userAgent || "no user agent"}, ${requests}, the last on ${secondText(lastUsedAt)})`;
  });
  return listed(words, MAX_CLIENTS, " and ");
}
