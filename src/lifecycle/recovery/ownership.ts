import { collectionAt } from "../kind/collection-at";
import { orUndefined } from "../../api/errors";
import type { AuditLogView } from "./audit-log-reader";
import {
  hasMade,
  madeOnly,
  provenBy,
  unclear,
  type CreationName,
  type CreationOutcome,
  type SentCreation,
} from "./proof";
import { idText } from "./lost-creation";
import { isSameId } from "../../api/same-id";
import { isNamed, type JournalEntry } from "../../journal/entry";
import { isProvenToRun, isUnderWay, waitedForMs } from "../../journal/sender";
import { pollUntil } from "../../process/poll";
import { isThisProcess, thisProcess } from "../../process/process-identity";
import { CreationUnderWayError } from "../errors";
import { isBeingDeleted } from "../../api/schema";
import type { Props } from "../kind/kind";
import { callOf } from "../objects/resource-call";
import type { RecoveryCall } from "./recovery-call";

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 4_000;
const BACKOFF_FACTOR = 1.5;
/** How often a run looks whether another process has ended. */
const PAUSE_MS = 1_000;
/** Objects that are older than the creation by more than this are not candidates. The margin allows for different clocks. */
const CANDIDATES_SINCE_MS = 3_600_000;

/**
 * Finds the objects of a creation in the audit log. Log and lists may be late, and the request may still be under way, so it asks
 * until `endsAt` (epoch milliseconds by this machine's clock). Rejects if the log or the list fails, but not if the key may not read
 * the log.
 */
export async function outcomeOf(call: RecoveryCall, sent: SentCreation, endsAt: number): Promise<CreationOutcome> {
  const { run, urn } = call;
  const startedAt = run.clock.now();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * BACKOFF_FACTOR, LONGEST_PAUSE_MS)) {
    const isLast = run.clock.now() + pauseMs > endsAt;
    const view = await run.audit.read(sent.sentAt, isLast ? run.clock.now() - endsAt : 0);
    const isRead = view.refusal === undefined;
    const outcome = provenBy(view, sent);
    if (outcome.status === "made") return outcome;
    // The list may show an object before the log does. So even after a refusal, which may be the answer to a second delivery, it looks
    // for candidates.
    const isProven = outcome.status !== "unclear";
    const candidates = isProven || isLast || !isRead ? await candidatesFor(call, sent, view) : [];
    if (isProven && candidates.length === 0) return outcome;
    if (isLast || (!isRead && candidates.length > 0))
      return { ...(isProven ? unclear("The audit log does not show what it made.") : outcome), candidates };
    const waitedS = Math.round((run.clock.now() - startedAt) / 1000);
    run.rows.status(urn, `waiting for the API to show whether the creation was carried out: ${waitedS}s`);
    await run.clock.sleep(pauseMs);
  }
}

/** The objects with the creation's name that it may have made. */
async function candidatesFor(call: RecoveryCall, sent: SentCreation, view: AuditLogView): Promise<readonly Props[]> {
  const { kind, run } = call;
  const isOthers = (id: string): boolean => run.journal.knows(id) || view.isMadeByOther(id, sent.token);
  const found: Props[] = [];
  await orUndefined(async () => {
    for await (const wire of collectionAt(run.api, kind, sent.inputs).list(callOf(call)))
      if (mayHaveMade(sent, wire, sent.sentAt) && !isBeingDeleted(wire) && !isOthers(idText(wire))) found.push(wire);
  });
  return found;
}

/** True if an object has the creation's name and is not older. `sentAt`: epoch milliseconds by the API's clock. */
export function mayHaveMade(creation: CreationName, { name, created_at: madeAt }: Props, sentAt: number): boolean {
  const isOlder = typeof madeAt === "string" && Date.parse(madeAt) < sentAt - CANDIDATES_SINCE_MS;
  return isNamed(creation, name) && !isOlder;
}

/**
 * Called when an object is adopted or imported, before it is changed. Takes every entry in hand whose creation made the object, as its id
 * or the log shows. Resolves with a function to call before the engine gets the object: it hands these entries over, so that no run
 * takes the object up. If no log can show that, an object of the same name counts as the one, because a person has chosen it. The
 * objects of this resource's other creations are left to later runs. That is done for an adoption only, because an import may still
 * fail. Rejects with CreationUnderWayError if another process works on the object.
 */
export async function takeFoundInHand(call: RecoveryCall, id: string, name: unknown): Promise<() => Promise<void>> {
  const { run, urn, kind, verb } = call;
  const { journal } = run;
  const decisions: (() => Promise<unknown>)[] = [];
  const later = (entry: JournalEntry, decide: (now: JournalEntry) => Promise<unknown>): void => {
    decisions.push(async () => {
      const now = await ifInNoHand(run, entry);
      if (now) await decide(now);
    });
  };
  for (const entry of await journal.earlier(urn)) {
    const isOwn = journal.isOwn(entry, urn);
    const mayBeIt = entry.id === undefined ? isOwn || entry.isSuperseded !== true : isSameId(entry.id, id);
    if (entry.type !== kind.type || !mayBeIt) continue;
    const sent = await journal.sentOf(entry, { ...call.inputs, ...entry.pathInputs });
    const outcome = entry.id === undefined ? await outcomeOf(call, sent, run.clock.now()) : madeOnly(entry.id);
    const isUnclear = outcome.status === "unclear";
    const isIt = hasMade(outcome, id) || (isOwn && isUnclear && !outcome.mayShowLater && isNamed(entry, name));
    const leave = async (now: JournalEntry): Promise<void> => {
      if (isUnclear) await journal.amend(now, ({ adoptedIds = [] }) => ({ adoptedIds: [...adoptedIds, id] }));
      if (isOwn) await journal.supersede(now, outcome.status === "made" ? outcome.ids : []);
    };
    if (isIt || (verb === "create" && isUnclear && isNamed(entry, name))) {
      const inHand = await takeInHand(call, entry);
      // An adoption has taken the entries with the object's id in hand before it looked at the object.
      const wasInHand = verb === "create" && entry.id !== undefined;
      const isTaken = entry.id === undefined && isSameId(inHand?.id, id);
      if (isTaken || (!inHand && !wasInHand)) throw doneByAnother(call, id);
      if (!inHand) continue;
      decisions.push(isIt ? async () => journal.handOver(await journal.accept(inHand, id)) : () => leave(inHand));
    } else if (verb !== "create") continue;
    else if (outcome.status === "nothing") {
      if (isOwn) later(entry, (now) => journal.close(now));
    } else later(entry, leave);
  }
  return async () => {
    for (const decide of decisions) await decide();
  };
}

/** The entry as the journal has it now. Undefined if it was closed, or if another process works on its object. */
export async function ifInNoHand(
  { journal, clock }: RecoveryCall["run"],
  entry: JournalEntry,
): Promise<JournalEntry | undefined> {
  const now = await journal.reread(entry);
  return now && !isUnderWay(now, clock.timeOfDay()) ? now : undefined;
}

/** Takes the entries with the object's id in hand. Called before a run looks at an object that it adopts. */
export async function takeEntriesInHand(call: RecoveryCall, id: string): Promise<void> {
  for (const entry of await call.run.journal.earlier(call.urn))
    if (isSameId(entry.id, id)) await takeInHand(call, entry);
}

/**
 * Waits until no other process works on an entry's object, and notes in the entry that this one does, so that no other one deletes it or
 * takes it. Resolves with the entry as it is then, or with undefined if it was closed meanwhile: the object may be deleted. `isFree`:
 * entries that need neither. Rejects with CreationUnderWayError if the other process goes on.
 */
export async function takeInHand(
  { run, kind, urn }: RecoveryCall,
  entry: JournalEntry,
  isFree: (entry: JournalEntry) => boolean = () => false,
): Promise<JournalEntry | undefined> {
  const { worker = entry.sender } = entry;
  const endsAt = run.clock.now() + waitedForMs(worker);
  const isOver = (each?: JournalEntry): boolean => !each || isFree(each) || !isUnderWay(each, run.clock.timeOfDay());
  const now = await pollUntil<JournalEntry | undefined>(
    run.clock,
    { firstPauseMs: PAUSE_MS, longestPauseMs: PAUSE_MS, leftMs: () => endsAt - run.clock.now() },
    () => run.journal.reread(entry),
    isOver,
    () => run.rows.status(urn, `waiting for another process, which works on this ${kind.noun}`),
  );
  if (!isOver(now)) {
    const process = isProvenToRun(worker) ? ` (${worker.pid})` : "";
    throw new CreationUnderWayError(
      `Another process${process} works on the ${kind.noun} that a run of ${entry.sentAt} began to create: a run, or ` +
        "`cloudinfra doctor`. Nothing was changed here. Wait until that process has ended, and run again.",
    );
  }
  const isInHand = now?.worker !== undefined && isThisProcess(now.worker);
  if (!now || isInHand || isFree(now)) return now;
  return run.journal.amend(now, () => ({ worker: thisProcess() }));
}

function doneByAnother({ kind: { noun } }: RecoveryCall, id: string): CreationUnderWayError {
  return new CreationUnderWayError(
    `Another process has just deleted ${noun} ${id}, or taken it up. Nothing was changed here. If it no longer exists, or another stack ` +
      "has it now, remove this resource or its `adopt`. Otherwise run again.",
  );
}
