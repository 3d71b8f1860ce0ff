import { isDeepStrictEqual } from "node:util";
import { collectionAt } from "../kind/collection-at";
import { RequestError, ForbiddenError } from "../../api/errors";
import { undefinedIfNotFound } from "../../api/not-found";
import { STACK } from "../../engine/row-log";
import type { AuditLogView } from "./audit-log-reader";
import { isOnlyNamed, sentSince, twinOf } from "./journal-entry";
import { objectAdvice, idText } from "./lost-creation";
import { isAboutOthers, isOfOtherAttempt, isNamed, type JournalEntry } from "../../journal/entry";
import { objectText } from "../../journal/left-behind";
import { isBeingDeleted } from "../../api/schema";
import type { Props } from "../kind/kind";
import { callOf } from "../objects/resource-call";
import type { RecoveryCall, RecoveryRun } from "./recovery-call";
import { idKey, isSameId } from "../../definition/same-id";

/** After this time, the API no longer carries out an interrupted request, and the audit log is complete. */
const CERTAINLY_ENDED_MS = 3_600_000;
/**
 * These refusals do not prove that nothing was made: the client sends the request again after some, and others may be
 * the result of an earlier delivery.
 */
const INCONCLUSIVE_REFUSALS: readonly number[] = [401, 408, 423, 424, 425, 429];
const CONFLICT = 409;
const FORBIDDEN = "The audit log shows what the creation made, but this API key may not read it (audit_log:read).";
const NO_LOG = "The API has no audit log, so nothing proves what the creation made.";
/** A later log will not show more. */
const IS_MADE = { mayShowLater: false, isMade: true } as const;

/** A creation whose response is lost. */
export interface SentCreation extends Pick<JournalEntry, "token" | "wasSentAgain" | "madeIds"> {
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
  /** Other objects of its name, which seem older than the request. */
  readonly older: readonly Props[];
  readonly reason: string;
  /** True if the log may show it later. */
  readonly mayShowLater: boolean;
  /** True if the log shows that the creation made an object, but not which one. */
  readonly isMade?: true;
}

/**
 * `nothing`: it is proven that the creation made nothing and will make nothing. `conflict`: the logged delivery made
 * nothing. The log may later show an earlier delivery that has taken the name or used up the quota.
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
  const { madeIds: known = [] } = sent;
  const made = successes.filter(({ target }) => !known.some((id) => isSameId(target?.id, id)));
  // Oldest first: the log has the newest first.
  const ids = made.flatMap(({ target }) => (target ? [target.id] : [])).reverse();
  if (ids.length > 0) return { status: "made", ids: distinct(ids) };
  // A success without a target may be that of a known object.
  if (made.length > 0 && successes.length > known.length)
    return unclear("The audit log shows that the creation made an object, but not which one.", IS_MADE);
  const refusals = entries.map(({ status_code: status }) => status).filter((status) => status >= 400 && status < 500);
  // The refusal of one attempt says nothing about the others.
  const isOnlyAttempt = !sent.wasSentAgain && !isAboutOthers(sent);
  const isRefused =
    isOnlyAttempt && refusals.some((status) => status !== CONFLICT && !INCONCLUSIVE_REFUSALS.includes(status));
  // By both clocks, because the API's clock may jump while the request is still under way.
  const isOld = view.readAt >= sent.livedAt + CERTAINLY_ENDED_MS && sent.agoHereMs >= CERTAINLY_ENDED_MS;
  // A log without any token proves nothing: it may belong to another account, or a proxy may have changed the user
  // agent. One that shows the known object reaches back to the request.
  const reachesBack = successes.length > 0 || (view.isComplete && view.hasTokens && sent.isSameKey);
  const isOver = isOld && reachesBack;
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
  return { status: "unclear", candidates: [], older: [], reason, mayShowLater: true, ...details };
}

function distinct(ids: readonly string[]): readonly string[] {
  return [...new Map(ids.map((id) => [idKey(id), id])).values()];
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 4_000;
const BACKOFF_FACTOR = 1.5;
/** The greatest age of a copy of the log that is searched for further objects of a known creation. */
const VIEW_FOR_MS = 60_000;
/**
 * Objects that are older than the creation by more than this are not candidates. The margin allows for different
 * clocks.
 */
const CANDIDATES_SINCE_MS = 3_600_000;

/**
 * Finds the objects of an entry's request in the audit log. Log and lists may be late, and the request may still be
 * under way, so it looks until `waitMs` have passed. If `waitMs` is negative, it looks once, and a copy of the log of
 * that age is enough. Rejects if the log or the list fails, but not if the key may not read the log.
 */
export async function outcomeOf(call: RecoveryCall, entry: JournalEntry, waitMs = 0): Promise<CreationOutcome> {
  const { run, urn } = call;
  const sent = await sentOf(run, entry);
  const startedAt = run.clock.now();
  const endsAt = startedAt + waitMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * BACKOFF_FACTOR, MAX_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const view = await run.audit.read(sent.sentAt, isLast ? run.clock.now() - endsAt : 0);
    const isRead = view.refusal === undefined;
    const outcome = provenBy(view, sent);
    if (outcome.status === "made") return outcome;
    // The list may show an object before the log does. So even after a refusal, which may be the response to a second
    // delivery, it looks for candidates.
    const isProven = outcome.status !== "unclear";
    const named = isProven || isLast || !isRead ? await namedAs(call, entry, view) : [];
    // Without the log, each of the two clocks may be ahead.
    const earliest = isRead ? sent.sentAt : Math.min(sent.sentAt, Date.parse(entry.sentHereAt));
    const candidates = named.filter((wire) => mayHaveMade(entry, wire, earliest));
    if (isProven && candidates.length === 0) return outcome;
    if (isLast || (!isRead && candidates.length > 0)) {
      const older = named.filter((wire) => !candidates.includes(wire));
      return { ...(isProven ? unclear("The audit log does not show what it made.") : outcome), candidates, older };
    }
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the API to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** The objects with the creation's name that nothing else explains. */
async function namedAs(call: RecoveryCall, entry: JournalEntry, view: AuditLogView): Promise<readonly Props[]> {
  const { kind, run } = call;
  const there = { ...call.inputs, ...entry.pathInputs };
  const isOthers = (id: string): boolean =>
    run.memory.objects.isKnown(id) ||
    run.journal.adoptions.has(id) ||
    view.isMadeByOther(id, entry.token) ||
    isOfOtherAttempt(entry, id);
  const found: Props[] = [];
  await undefinedIfNotFound(async () => {
    for await (const wire of collectionAt(run.api, kind, there).list(callOf(call)))
      if (isNamed(entry, wire["name"]) && !isBeingDeleted(wire) && !isOthers(idText(wire))) found.push(wire);
  });
  return found;
}

/** True if an object has the entry's name and is not older. `sentAt`: the earliest time of the request. */
export function mayHaveMade(entry: JournalEntry, { name, created_at: madeAt }: Props, sentAt: number): boolean {
  return isNamed(entry, name) && !(Date.parse(String(madeAt)) < sentAt - CANDIDATES_SINCE_MS);
}

/**
 * What is known about the entry's request. Other entries of the same process may show that the process lived longer.
 */
export async function sentOf({ journal, api, clock }: RecoveryRun, entry: JournalEntry): Promise<SentCreation> {
  const { sender, urn } = entry;
  const ofItsProcess = (await journal.earlier(urn)).filter((each) => isDeepStrictEqual(each.sender, sender));
  const signs = [entry, ...ofItsProcess].flatMap(({ sentAt, answeredAt = sentAt }) => [sentAt, answeredAt]);
  return {
    ...entry,
    sentAt: sentSince(entry, api.now()),
    livedAt: Math.max(...signs.map(Date.parse)),
    agoHereMs: clock.timeOfDay() - Date.parse(entry.sentHereAt),
    isSameKey: journal.isSentWithKey(entry),
  };
}

/**
 * What the creation of an entry made. If the entry has an id, the log may show more objects. Resolves without them if
 * the log cannot be read.
 */
export async function outcomeOfEntry(call: RecoveryCall, entry: JournalEntry): Promise<CreationOutcome> {
  const { run } = call;
  if (isOnlyNamed(entry)) return madeOnly(entry.id);
  if (entry.id === undefined) return outcomeOf(call, entry);
  const sent = await sentOf(run, entry);
  const view = await run.audit.read(sent.sentAt, VIEW_FOR_MS).catch((error: unknown) => {
    if (!(error instanceof RequestError)) throw error;
  });
  const outcome = view && provenBy(view, sent);
  return outcome?.status === "made" ? outcome : madeOnly(entry.id);
}

/**
 * Names the other objects of a request that the network has delivered several times, but not adopted ones, and keeps an
 * entry for each.
 */
export async function leaveTwins(
  { run, urn, verb }: RecoveryCall,
  entry: JournalEntry,
  ids: readonly string[],
): Promise<void> {
  // `pulumi import` shows no row of a resource.
  const [row, subject] = verb === "read" ? [STACK, `${objectText(entry)}: the`] : [urn, "The"];
  for (const id of ids) {
    if (run.memory.objects.isKnown(id)) continue;
    if (run.journal.adoptions.has(id)) {
      await run.journal.amend(twinOf(entry, id), { isHandedOver: true });
      continue;
    }
    await run.journal.supersede(twinOf(entry, id));
    const text = `${subject} request of ${entry.sentAt} was delivered twice, and had also made ${id}. ${objectAdvice(id)}`;
    await run.rows.line(row, "warning", text);
  }
}
