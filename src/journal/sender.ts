import { isVisible, runsElsewhere, type ProcessIdentity } from "../process/process-identity";
import type { JournalEntry } from "./entry";

/** How often a process touches the files of its entries, for processes that cannot see it. */
export const TOUCHED_EVERY_MS = 15_000;
/** After this long without a touch, the process counts as dead. */
const SILENT_FOR_MS = 60_000;

/**
 * True if another process is still working on the creation or its object. `now` is this machine's time of day. Containers can share a
 * home folder and not see each other's processes. Then the age of the entry's file decides. A negative age below `-TOUCHED_EVERY_MS`
 * says nothing, because the clocks disagree.
 */
export function isUnderWay({ sender, worker, isHandedOver, touchedAt }: JournalEntry, now: number): boolean {
  const ageMs = touchedAt === undefined ? Infinity : now - Date.parse(touchedAt);
  const isFresh = ageMs > -TOUCHED_EVERY_MS && ageMs < SILENT_FOR_MS;
  const runs = (process: ProcessIdentity): boolean => (isVisible(process) ? runsElsewhere(process) : isFresh);
  if (worker !== undefined && runs(worker)) return true;
  return isVisible(sender) ? runsElsewhere(sender) : isHandedOver !== true && isFresh;
}

/** True if the process with this id is certainly the one that sent the request, so that a message may advise to end it. */
export function isProvenToRun(sender: ProcessIdentity): boolean {
  return isVisible(sender) && sender.startedAt !== undefined && runsElsewhere(sender);
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long to wait for the end of a process. After that it is known whether it still runs. */
export function waitedForMs(sender: ProcessIdentity): number {
  return isVisible(sender) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
