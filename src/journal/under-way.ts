import type { Journal, JournalEntry } from "./journal";
import { isVisible, runsElsewhere, type ProcessIdentity } from "./process-identity";

/** How often a process touches the files of its entries, so that those who cannot see it know that it runs. */
export const TOUCHED_EVERY_MS = 15_000;
/** If it has not for so long, it counts as ended: killed, or as good as that. */
export const SILENT_FOR_MS = 60_000;

/**
 * Whether another process is at it now, by this machine's time. Containers can share a home folder and not see each other's
 * processes: then the age of the entry's file tells.
 */
export function isUnderWay({ sender, isHandedOver, touchedAt }: JournalEntry, now: number): boolean {
  if (isVisible(sender)) return runsElsewhere(sender);
  if (isHandedOver === true || touchedAt === undefined) return false;
  return now - Date.parse(touchedAt) < SILENT_FOR_MS;
}

/** The same of an entry that was read a while ago. */
export async function isStillUnderWay(journal: Journal, { key, stack }: JournalEntry, now: number): Promise<boolean> {
  const { entries } = await journal.of(stack);
  return entries.some((entry) => entry.key === key && isUnderWay(entry, now));
}

/** A plugin whose engine was killed ends within seconds. */
const KILLED_ENDS_WITHIN_MS = 30_000;

/** How long others wait for the end of a process: until it is known whether it runs. */
export function waitedForMs(sender: ProcessIdentity): number {
  return isVisible(sender) ? KILLED_ENDS_WITHIN_MS : SILENT_FOR_MS + TOUCHED_EVERY_MS;
}
