import { isSameId } from "../../definition/same-id";
import { namedParts } from "../../definition/parts";
import { isOfOtherAttempt, type JournalEntry } from "../../journal/entry";
import { isUnderWay } from "../../journal/sender";
import { isThisProcess } from "../../process/process-identity";
import { CreationUnderWayError, UnwritableJournalError } from "../errors";
import type { Props } from "../kind/kind";
import { isNotOlder, isOnlyNamed, sentSince, twinOf } from "./journal-entry";
import { awaitSender, importAdvice, lockObject } from "./object-lock";
import { objectAdvice, idText } from "./lost-creation";
import { leaveTwins, mayHaveMade, outcomeOfEntry, hasMade, type CreationOutcome } from "./ownership";
import type { RecoveryCall } from "./recovery-call";

/** An existing object while a resource takes it. */
export interface LockedObject {
  /** As the API shows it since it is locked. */
  readonly object: Props;
  /** Called before the engine gets the object: from then on, no run takes it over. */
  handOver(): Promise<void>;
  /**
   * Called if the resource does not take it. Otherwise the object stays locked until the process ends, and the state
   * has it.
   */
  unlock(): Promise<void>;
}

/** An earlier creation that may have made the object. */
interface EarlierCreation {
  readonly entry: JournalEntry;
  readonly outcome: CreationOutcome;
  /**
   * True if it made the object. If no audit log can show that, an object with the same name counts, because a person
   * has chosen it. It does not count if it is older than the request, or if another object has the name too.
   */
  readonly isIt: boolean;
  /** True if it may have made the object, so that its end must be awaited. */
  readonly mayBeIt: boolean;
}

/**
 * Called when an object is adopted or imported, before it is changed. Locks it and its parts, and reads it after that.
 * Resolves with undefined if the journal has no entry: then no other process of this machine takes the object over or
 * deletes it. Rejects with CreationUnderWayError if another process works on it, or has taken or deleted it since this
 * run first read the journal, and with UnwritableJournalError if it cannot be locked.
 */
export async function lockExisting(
  call: RecoveryCall,
  id: string,
  read: () => Promise<Props>,
): Promise<LockedObject | undefined> {
  const { run, urn, kind } = call;
  const { journal, clock } = run;
  await journal.readAgain(urn);
  const { atStart } = journal;
  if (atStart.length === 0 && (await journal.earlier(urn)).length === 0) return undefined;
  const locked: string[] = [];
  const lock = async (each: string): Promise<void> => {
    const { hasWaited, isWritable } = await lockObject(call, each);
    if (!isWritable) throw notLocked(call, id);
    locked.push(each);
    if (hasWaited) throw doneByAnother(call, id);
  };
  const unlock = async (): Promise<void> => {
    for (const each of locked) await journal.writer.unlock(each);
  };
  try {
    await lock(id);
    let object = await read();
    for (const part of namedParts(kind, object)) await lock(part.id);
    if (locked.length > 1) object = await read();
    let creations = await creationsNow(call, id, object);
    const busy = creations.filter(({ entry, mayBeIt }) => mayBeIt && isUnderWay(entry, clock.timeOfDay()));
    for (const { entry } of busy) await awaitSender(call, entry);
    if (busy.length > 0) {
      object = await read();
      creations = await creationsNow(call, id, object);
    }
    const open = await journal.earlier(urn);
    const closed = atStart.filter((before) => !open.some(({ key }) => key === before.key));
    const isClosed = (await creationsOf(call, closed, id, object)).some(({ mayBeIt }) => mayBeIt);
    // Without the entries of awaited runs: if one has handed the object over, that is new.
    const idleAtStart = atStart.filter(({ key }) => !busy.some(({ entry }) => entry.key === key));
    const isHandedOver = open.some((entry) => isHandedOverSince(idleAtStart, entry, id));
    if (isClosed || isHandedOver || journal.adoptions.isNew(id)) throw doneByAnother(call, id);
    return { object, handOver: () => handOver(call, id, object, creations), unlock };
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function creationsNow(call: RecoveryCall, id: string, object: Props): Promise<readonly EarlierCreation[]> {
  const { journal } = call.run;
  await journal.readAgain(call.urn);
  return creationsOf(call, await journal.earlier(call.urn), id, object);
}

/** Of these entries, the creations that the object concerns. */
async function creationsOf(
  call: RecoveryCall,
  entries: readonly JournalEntry[],
  id: string,
  object: Props,
): Promise<readonly EarlierCreation[]> {
  const { run, urn, kind, verb } = call;
  const creations: EarlierCreation[] = [];
  for (const entry of entries.filter(({ type }) => type === kind.type)) {
    const isOfOther = isOfAnother(entry, id);
    if (isOfOther && isOnlyNamed(entry)) continue;
    const outcome = await outcomeOfEntry(call, entry);
    if (isOfOther && !hasMade(outcome, id)) continue; // its request has not made this object, too
    const isOfName =
      outcome.status === "unclear" &&
      !isOfOtherAttempt(entry, id) &&
      mayHaveMade(entry, object, sentSince(entry, run.api.now()));
    const isOnlyOne = isOfName && outcome.candidates.every((each) => isSameId(idText(each), id));
    const isOfOwnName = isOnlyOne && !outcome.mayShowLater && run.journal.isOwn(entry, urn);
    const isIt = hasMade(outcome, id) || (isOfOwnName && isNotOlder(entry, object["created_at"]));
    // For an import, a person has chosen the id. So an equal name counts only if another process may still hand the
    // object over.
    const mayBeIt = isIt || (isOfName && (verb === "create" || isUnderWay(entry, run.clock.timeOfDay())));
    creations.push({ entry, outcome, isIt, mayBeIt });
  }
  return creations;
}

/** True if the entry has the id of another object. */
function isOfAnother(entry: JournalEntry, id: string): boolean {
  return entry.id !== undefined && !isSameId(entry.id, id);
}

/** True if another process has handed the object over since this run first read the journal. */
function isHandedOverSince(atStart: readonly JournalEntry[], now: JournalEntry, id: string): boolean {
  const isHandedOver = (entry: JournalEntry | undefined): boolean =>
    entry?.isHandedOver === true && isSameId(entry.id, id);
  const before = atStart.find(({ key }) => key === now.key);
  return isHandedOver(now) && !isHandedOver(before) && !isThisProcess(now.sender);
}

/**
 * Records that a state gets the object and its parts, because a later log may show that the request of another entry
 * made them. Hands over the entry whose request made the object. Leaves this resource's other creations to later runs.
 * In an import, which may still fail, it leaves their entries as they are.
 */
async function handOver(
  call: RecoveryCall,
  id: string,
  object: Props,
  creations: readonly EarlierCreation[],
): Promise<void> {
  const { run, urn, kind, verb } = call;
  const { journal, clock } = run;
  await journal.adoptions.record({ type: kind.type, id });
  for (const { part, id: own } of namedParts(kind, object))
    await journal.adoptions.record({ type: part.of.type, id: own });
  await journal.readAgain(urn);
  for (const entry of await journal.earlier(urn)) {
    if (entry.type !== kind.type || isUnderWay(entry, clock.timeOfDay())) continue;
    const { outcome, isIt = false } = creations.find(({ entry: { key } }) => key === entry.key) ?? {};
    const ids = outcome?.status === "made" ? outcome.ids : [];
    // Another process may have written the entry of this object since. The second object of a request gets its own.
    if (isSameId(entry.id, id) || isIt) {
      const isTwin = isOfAnother(entry, id);
      const others = isTwin ? [] : ids.filter((each) => !isSameId(each, id));
      await leaveTwins(call, entry, others); // first: once the entry names its object, no run asks the log for more
      await journal.handOver(await journal.accept(isTwin ? twinOf(entry, id) : entry, id, others));
    } else if (outcome && verb === "create" && journal.isOwn(entry, urn)) {
      if (outcome.status === "nothing") await journal.close(entry);
      else await leaveToLaterRuns(call, entry, ids);
    }
  }
}

/** The resource adopts another object than the one that the creation of an entry has made. */
async function leaveToLaterRuns(
  { run, urn, kind }: RecoveryCall,
  entry: JournalEntry,
  ids: readonly string[],
): Promise<void> {
  const { journal } = run;
  await journal.supersede(entry, ids);
  const left = ids.filter((id) => !run.memory.objects.isKnown(id) && !journal.adoptions.has(id));
  if (left.length === 0) return;
  const text = `An earlier creation of this ${kind.noun}, of ${entry.sentAt}, had made ${left.join(" and ")}. This run adopts another one.`;
  await run.rows.line(urn, "warning", `${text} ${left.map(objectAdvice).join(" ")}`);
}

function notLocked({ kind: { noun }, verb, urn }: RecoveryCall, id: string): UnwritableJournalError {
  const advice = verb === "read" ? `${importAdvice(urn)}.` : "Run again then.";
  return new UnwritableJournalError(
    `The journal has open entries and cannot be written. An interrupted run may have made ${noun} ${id}, and its stack's next run ` +
      `could take it over too, because nothing records that this run has it. Nothing was changed here. Make the journal writable. ${advice}`,
  );
}

function doneByAnother({ kind: { noun }, verb, urn }: RecoveryCall, id: string): CreationUnderWayError {
  const advice =
    verb === "read"
      ? `${importAdvice(urn)}. If the object no longer exists, or another stack has it now, remove the import first.`
      : "If it no longer exists, or another stack has it now, remove this resource or its `adopt`. Otherwise run again.";
  return new CreationUnderWayError(
    `Another process may just have deleted ${noun} ${id}, or taken it over. Nothing was changed here. ${advice}`,
  );
}
