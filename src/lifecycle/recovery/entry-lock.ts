import { isSameId } from "../../api/same-id";
import { isNamed, type JournalEntry } from "../../journal/entry";
import { isProvenToRun, isUnderWay, waitedForMs } from "../../journal/sender";
import { pollUntil } from "../../process/poll";
import { CreationUnderWayError } from "../errors";
import { isThisProcess } from "../../process/process-identity";
import { isAdopted, isOnlyNamed } from "./journal-entry";
import { leaveTwins, outcomeOfEntry } from "./ownership";
import { hasMade, type CreationOutcome } from "./proof";
import type { RecoveryCall } from "./recovery-call";

/** How often a run looks whether another process has ended. */
const PAUSE_MS = 1_000;

/** The entries whose creation made an object, while a resource takes the object. */
export interface LockedEntries {
  /** True if there was one: another process may have changed or deleted the object before, so the object must be read again. */
  readonly mustReadAgain: boolean;
  /** Called before the engine gets the object: from then on, no run takes the object up. */
  handOver(): Promise<void>;
  unlock(): Promise<void>;
}

/**
 * Called when an object is adopted or imported, before it is changed. Locks every entry whose creation made the object, as its id or the log
 * shows. If no log can show that, an object of the same name counts as the one, because a person has chosen it. The objects of this resource's
 * other creations are left to later runs. That is done for an adoption only, because an import may still fail. Rejects with
 * CreationUnderWayError if another process works on the object, or has done so while this one waited.
 */
export async function lockEntriesOf(call: RecoveryCall, id: string, name: unknown): Promise<LockedEntries> {
  const { run, urn, kind, verb } = call;
  const { journal } = run;
  const locked: JournalEntry[] = [];
  let mustReadAgain = false;
  const decisions: (() => Promise<unknown>)[] = [];
  const unlock = async (): Promise<void> => {
    for (const entry of locked) await journal.writer.unlock(entry);
  };
  const decide = async (entry: JournalEntry): Promise<void> => {
    const isOwn = journal.isOwn(entry, urn);
    const isOfOther = isOfAnother(entry, id);
    if (entry.type !== kind.type || (isOfOther && isOnlyNamed(entry))) return;
    const outcome = await outcomeOfEntry(call, entry);
    if (isOfOther && !hasMade(outcome, id)) return; // its request has not made this object, too
    const isUnclear = outcome.status === "unclear";
    const isIt = hasMade(outcome, id) || (isOwn && isUnclear && !outcome.mayShowLater && isNamed(entry, name));
    const noteAdopted = (now: JournalEntry): Promise<JournalEntry> =>
      journal.amend(now, ({ adoptedIds = [] }) => ({ adoptedIds: [...adoptedIds, id] }));
    const leave = async (now: JournalEntry): Promise<void> => {
      if (isUnclear) await noteAdopted(now);
      if (isOwn) await journal.supersede(now, outcome.status === "made" ? outcome.ids : []);
    };
    const unlessLocked = (then: (now: JournalEntry) => Promise<unknown>) => async (): Promise<void> => {
      const now = await ifUnlocked(run, entry);
      if (now) await then(now);
    };
    if (isIt || (verb === "create" && isUnclear && isNamed(entry, name))) {
      mustReadAgain = true;
      const now = await lockEntry(call, entry);
      if (now) locked.push(now);
      if (isDoneByAnother(entry, now, id)) throw doneByAnother(call, id);
      // Another resource may have taken the entry for the other object of its request.
      const isForOther = (): boolean => isOfAnother(journal.writer.latest(now ?? entry), id);
      if (now && isIt) decisions.push(() => (isForOther() ? noteAdopted(now) : handOver(call, now, id, outcome)));
      else if (now) decisions.push(() => leave(now));
    } else if (verb === "create" && outcome.status !== "nothing") decisions.push(unlessLocked(leave));
    else if (verb === "create" && isOwn) decisions.push(unlessLocked((now) => journal.close(now)));
  };
  const seen = new Set<string>();
  const unseen = async (): Promise<readonly JournalEntry[]> => {
    await journal.readNewer(urn);
    const entries = (await journal.earlier(urn)).filter(({ key }) => !seen.has(key));
    for (const { key } of entries) seen.add(key);
    return entries;
  };
  try {
    // While this process waited for another one, that may have written entries about the object.
    for (let next = await unseen(); next.length > 0; next = await unseen())
      for (const entry of next) await decide(entry);
  } catch (error) {
    await unlock();
    throw error;
  }
  const handOverAll = async (): Promise<void> => {
    for (const each of decisions) await each();
  };
  return { mustReadAgain, handOver: handOverAll, unlock };
}

/** True if the entry has the id of another object. */
function isOfAnother(entry: JournalEntry, id: string): boolean {
  return entry.id !== undefined && !isSameId(entry.id, id);
}

async function handOver(call: RecoveryCall, entry: JournalEntry, id: string, outcome: CreationOutcome): Promise<void> {
  const { journal } = call.run;
  const accepted = await journal.accept(entry, id);
  if (outcome.status === "made") await leaveTwins(call, entry, outcome.ids);
  await journal.handOver(accepted);
}

/** True if another process has closed the entry or taken the object since this one has read the entry. */
function isDoneByAnother(read: JournalEntry, now: JournalEntry | undefined, id: string): boolean {
  if (now === undefined) return read.id === undefined;
  if (isAdopted(now, id) && !isAdopted(read, id)) return true;
  const isTaken = now.isHandedOver === true && read.isHandedOver !== true && isSameId(now.id, id);
  return (isTaken || (read.id === undefined && isSameId(now.id, id))) && !isThisProcess(now.sender);
}

/** The entry as the journal has it now. Undefined if it was closed, or if another process works on its object. */
export async function ifUnlocked(
  { journal, clock }: RecoveryCall["run"],
  entry: JournalEntry,
): Promise<JournalEntry | undefined> {
  const now = await journal.writer.reread(entry);
  return now && !isUnderWay(now, clock.timeOfDay()) ? now : undefined;
}

/**
 * Waits until no other process works on an entry's object, and locks the entry, so that no other one deletes the object or takes it. Resolves
 * with the entry as it is then, or with undefined if it was closed meanwhile: the object may be deleted. `isFree`: entries that are not
 * locked. Rejects with CreationUnderWayError if the other process goes on.
 */
export async function lockEntry(
  { run, kind, urn }: RecoveryCall,
  entry: JournalEntry,
  isFree: (entry: JournalEntry) => boolean = () => false,
): Promise<JournalEntry | undefined> {
  const { journal, clock, rows } = run;
  const startedAt = clock.now();
  let worker = entry.lockedBy?.process ?? entry.sender;
  const look = async (): Promise<{ readonly isOver: boolean; readonly now?: JournalEntry | undefined }> => {
    const seen = await journal.writer.reread(entry);
    if (!seen || isFree(seen)) return { isOver: true, now: seen };
    worker = seen.lockedBy?.process ?? seen.sender;
    if (isUnderWay(seen, clock.timeOfDay()) || !(await journal.writer.lock(seen, clock.timeOfDay())))
      return { isOver: false };
    const now = await journal.writer.reread(seen);
    if (!now) await journal.writer.unlock(seen);
    return { isOver: true, now };
  };
  const { isOver, now } = await pollUntil(
    clock,
    {
      firstPauseMs: PAUSE_MS,
      longestPauseMs: PAUSE_MS,
      leftMs: () => startedAt + waitedForMs(worker) - clock.now(),
    },
    look,
    (looked) => looked.isOver,
    () => rows.status(urn, `waiting for another process, which works on this ${kind.noun}`),
  );
  if (isOver) return now;
  const pid = isProvenToRun(worker) ? ` (${worker.pid})` : "";
  throw new CreationUnderWayError(
    `Another process${pid} works on the ${kind.noun} that a run of ${entry.sentAt} began to create: a run, or ` +
      "`cloudinfra doctor`. Nothing was changed here. Wait until that process has ended, and run again.",
  );
}

function doneByAnother({ kind: { noun } }: RecoveryCall, id: string): CreationUnderWayError {
  return new CreationUnderWayError(
    `Another process has just deleted ${noun} ${id}, or taken it up. Nothing was changed here. If it no longer exists, or another stack ` +
      "has it now, remove this resource or its `adopt`. Otherwise run again.",
  );
}
