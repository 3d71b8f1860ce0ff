import type { JournalEntry, ProcessIdentity } from "./entry";
import { isVisible, runsElsewhere } from "./process-identity";

/** How often a process touches the files of its entries, so that those who cannot see it know that it runs. */
export const TOUCHED_EVERY_MS = 15_000;
/** After this long without a touch, the process counts as ended. */
export const SILENT_FOR_MS = 60_000;

/**
 * Whether another process is at it now, by this machine's time. Containers can share a home folder and not see each other's
 * processes: then the age of the entry's file tells. A negative age says nothing, because the clocks disagree. Clocks that nearly
 * agree differ by less than one touch.
 */
export function isUnderWay({ sender, isHandedOver, touchedAt }: JournalEntry, now: number): boolean {
  if (isVisible(sender)) return runsElsewhere(sender);
  if (isHandedOver === true || touchedAt === undefined) return false;
  const ageMs = now - Date.parse(touchedAt);
  return ageMs > -TOUCHED_EVERY_MS && ageMs < SILENT_FOR_MS;
}

/** Whether the process with this number is surely the one that sent it, so that a person can be told to end it. */
export function isProvenToRun(sender: ProcessIdentity): boolean {
  return isVisible(sender) && sender.startedAt !== undefined && runsElsewhere(sender);
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long others wait for the end of a process: until it is known whether it runs. */
export function waitedForMs(sender: ProcessIdentity): number {
  return isVisible(sender) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
