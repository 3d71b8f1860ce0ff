import type { Props } from "../kind/kind";
import { idKey, isSameId } from "../../api/same-id";
import type { JournalEntry } from "../../journal/entry";
import type { AuditLogView } from "./audit-log-reader";

/** After this time, the API no longer carries out a request that was cut off, and no audit log is late. */
const SURELY_OVER_MS = 3_600_000;
/**
 * The API answers these before it does anything, but the client repeats the request after some of them. So they do not prove
 * that nothing was made.
 */
const UNSETTLED_REFUSALS: readonly number[] = [401, 408, 425, 429];
const CONFLICT = 409;
/** No later log says more. */
const IS_MADE = { mayShowLater: false, isMade: true } as const;

export type CreationName = Pick<JournalEntry, "token" | "name" | "nameHash">;

/** A creation whose answer is lost. */
export interface SentCreation extends CreationName, Pick<JournalEntry, "lastMadeId"> {
  /** The inputs for the object's path. */
  readonly inputs: Props;
  /** The earliest time of the request, and the last sign of life of its process, by the API's clock. */
  readonly sentAt: number;
  readonly livedAt: number;
  /** The time since the request, by this machine's clock. */
  readonly agoHereMs: number;
  /** Whether the key in use has sent it: with another one, another account may answer. */
  readonly isSameKey: boolean;
}

/** Proven: it made these objects. There are several if the network delivered the request several times. */
export interface MadeByCreation {
  readonly status: "made";
  readonly ids: readonly string[];
  /** Whether only the journal entry proves it, and its request was sent with another key. */
  readonly isFromEntryOnly?: boolean;
}

/** Not proven. */
export interface UnclearCreation {
  readonly status: "unclear";
  /** The objects that it may have made. */
  readonly candidates: readonly Props[];
  readonly why: string;
  /** Whether a log that can be read may show it later. */
  readonly mayShowLater: boolean;
  /** Whether the log shows that it made an object, but not which one. */
  readonly isMade?: true;
}

/**
 * `nothing` is proven: it made nothing, and will make nothing. `conflict`: the delivery that the log shows made nothing, and an earlier one,
 * which has used up the name or the quota, may show later.
 */
export type CreationOutcome = MadeByCreation | { readonly status: "nothing" | "conflict" } | UnclearCreation;

/** The proof from the log. */
export function provenBy(view: AuditLogView, sent: SentCreation): CreationOutcome {
  const entries = view.sentWith(sent.token);
  const successes = entries.filter(({ status_code: status }) => status >= 200 && status < 300);
  const made = successes.filter(({ target }) => !isSameId(target?.id, sent.lastMadeId));
  const ids = made.flatMap(({ target }) => (target ? [target.id] : [])).reverse(); // the newest stands first
  if (ids.length > 0) return { status: "made", ids: distinct(ids) };
  // A success without a target is that of the last attempt if there is no other.
  const isLastAttempt = made.length === 0 || successes.length === 1;
  if (sent.lastMadeId !== undefined && successes.length > 0 && isLastAttempt) return { status: "nothing" };
  if (made.length > 0)
    return unclear("The audit log shows that the creation made an object, but not which one.", IS_MADE);
  const refusals = entries.map(({ status_code: status }) => status).filter((status) => status >= 400 && status < 500);
  const isRefused = refusals.some((status) => status !== CONFLICT && !UNSETTLED_REFUSALS.includes(status));
  // By both clocks, because the API's may jump while the request is still on its way.
  const isOld = view.readAt >= sent.livedAt + SURELY_OVER_MS && sent.agoHereMs >= SURELY_OVER_MS;
  // A log without any token may come from another account, or through a proxy that rewrites the user agent.
  const isOver = isOld && view.isComplete && view.hasTokens && sent.isSameKey;
  const mayHaveMade = entries.some(({ status_code: status }) => status >= 500);
  if (isRefused || (isOver && !mayHaveMade)) return { status: "nothing" };
  if (refusals.includes(CONFLICT)) return { status: "conflict" };
  if (!view.isComplete) return unclear("The audit log is too long to read back to the request.");
  return unclear(`The audit log does not show ${entries.length > 0 ? "what it made" : "the request (yet)"}.`);
}

/** No candidates yet: the log does not show them. */
export function unclear(why: string, knowledge: Partial<UnclearCreation> = {}): UnclearCreation {
  return { status: "unclear", candidates: [], why, mayShowLater: true, ...knowledge };
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Map(ids.map((id) => [idKey(id), id])).values()];
}
