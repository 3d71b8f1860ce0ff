import type { Props } from "../kind/kind";
import { idKey, isSameId } from "../../definition/same-id";
import type { JournalEntry } from "../../journal/entry";
import { ForbiddenError } from "../../api/errors";
import type { AuditLogView } from "./audit-log-reader";

/** After this time, the API no longer carries out an interrupted request, and the audit log is complete. */
const CERTAINLY_ENDED_MS = 3_600_000;
/** These refusals do not prove that nothing was made, because the client sends the request again after some of them. */
const INCONCLUSIVE_REFUSALS: readonly number[] = [401, 408, 425, 429];
const CONFLICT = 409;
const FORBIDDEN = "The audit log shows what the creation made, but this API key may not read it (audit_log:read).";
const NO_LOG = "The API has no audit log, so nothing proves what the creation made.";
/** A later log will not show more. */
const IS_MADE = { mayShowLater: false, isMade: true } as const;

export type CreationName = Pick<JournalEntry, "token" | "name" | "nameHash">;

/** A creation whose answer is lost. */
export interface SentCreation extends CreationName, Pick<JournalEntry, "lastMadeId" | "pathInputs"> {
  /** The earliest time of the request, in epoch milliseconds by the API's clock. */
  readonly sentAt: number;
  /** The last sign of life of the process that sent it, in epoch milliseconds by the API's clock. */
  readonly livedAt: number;
  /** The time since the request in milliseconds, by this machine's clock. */
  readonly agoHereMs: number;
  /** True if the request was sent with the key in use. Another key may belong to another account. */
  readonly isSameKey: boolean;
}

/** Proven: the creation made these objects. There are several if the network delivered the request several times. */
export interface MadeByCreation {
  readonly status: "made";
  readonly ids: readonly string[];
  /** True if only the journal entry proves it, and the request was sent with another key. */
  readonly isFromEntryOnly?: boolean;
}

/** Not proven. */
export interface UnclearCreation {
  readonly status: "unclear";
  /** The objects that it may have made. */
  readonly candidates: readonly Props[];
  readonly reason: string;
  /** True if the log may show it later. */
  readonly mayShowLater: boolean;
  /** True if the log shows that the creation made an object, but not which one. */
  readonly isMade?: true;
}

/**
 * `nothing`: it is proven that the creation made nothing and will make nothing. `conflict`: the logged delivery made nothing. The log
 * may later show an earlier delivery that has taken the name or used up the quota.
 */
export type CreationOutcome = MadeByCreation | { readonly status: "nothing" | "conflict" } | UnclearCreation;

/** What the audit log proves about a creation. */
export function provenBy(
  view: Pick<AuditLogView, "hasTokens" | "isComplete" | "readAt" | "refusal" | "sentWith">,
  sent: SentCreation,
): CreationOutcome {
  if (view.refusal)
    return unclear(view.refusal instanceof ForbiddenError ? FORBIDDEN : NO_LOG, { mayShowLater: false });
  const entries = view.sentWith(sent.token);
  const successes = entries.filter(({ status_code: status }) => status >= 200 && status < 300);
  const made = successes.filter(({ target }) => !isSameId(target?.id, sent.lastMadeId));
  const ids = made.flatMap(({ target }) => (target ? [target.id] : [])).reverse(); // oldest first: the log has the newest first
  if (ids.length > 0) return { status: "made", ids: distinct(ids) };
  // A single success without a target is that of the last attempt, whose object is known.
  const isLastAttempt = made.length === 0 || successes.length === 1;
  if (sent.lastMadeId !== undefined && successes.length > 0 && isLastAttempt) return { status: "nothing" };
  if (made.length > 0)
    return unclear("The audit log shows that the creation made an object, but not which one.", IS_MADE);
  const refusals = entries.map(({ status_code: status }) => status).filter((status) => status >= 400 && status < 500);
  const isRefused = refusals.some((status) => status !== CONFLICT && !INCONCLUSIVE_REFUSALS.includes(status));
  // By both clocks, because the API's clock may jump while the request is still under way.
  const isOld = view.readAt >= sent.livedAt + CERTAINLY_ENDED_MS && sent.agoHereMs >= CERTAINLY_ENDED_MS;
  // A log without any token may belong to another account, or a proxy may have changed the user agent.
  const isOver = isOld && view.isComplete && view.hasTokens && sent.isSameKey;
  const mayHaveMade = entries.some(({ status_code: status }) => status >= 500);
  if (isRefused || (isOver && !mayHaveMade)) return { status: "nothing" };
  if (refusals.includes(CONFLICT)) return { status: "conflict" };
  if (!view.isComplete) return unclear("The audit log is too long to read back to the request.");
  return unclear(`The audit log does not show ${entries.length > 0 ? "what it made" : "the request (yet)"}.`);
}

export function madeOnly(id: string): MadeByCreation {
  return { status: "made", ids: [id] };
}

/** True if it is proven that the creation made this object. */
export function hasMade(outcome: CreationOutcome | undefined, id: string): boolean {
  return outcome?.status === "made" && outcome.ids.some((made) => isSameId(made, id));
}

/** An outcome that is not proven, without candidates. */
export function unclear(reason: string, details: Partial<UnclearCreation> = {}): UnclearCreation {
  return { status: "unclear", candidates: [], reason, mayShowLater: true, ...details };
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Map(ids.map((id) => [idKey(id), id])).values()];
}
